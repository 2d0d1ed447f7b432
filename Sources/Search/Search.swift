// Search: what people type and what programs ask become queries, queries become ranked hits over
// one snapshot, hits become highlights. Reads only; never writes, never waits for a writer.
