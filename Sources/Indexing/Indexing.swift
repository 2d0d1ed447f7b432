// Items in, segments out: items are checked, analysed, inverted, written, deleted and merged here.
