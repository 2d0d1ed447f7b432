// LimelightSegments: one immutable segment, written once, then read through the map or from memory.
