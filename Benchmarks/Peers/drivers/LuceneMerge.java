import java.io.BufferedReader;
import java.nio.file.*;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.store.*;

/**
 * Ten segments of a corpus, merged into one by one thread: LuceneMerge TSV DIR.
 *
 * <p>No text is stored. Prints a line of JSON as the other drivers do.
 */
public class LuceneMerge {
  public static void main(String[] a) throws Exception {
    long count;
    try (var lines = Files.lines(Path.of(a[0]))) {
      count = lines.count();
    }
    FieldType type = new FieldType(TextField.TYPE_NOT_STORED);
    type.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS);
    try (Directory dir = new MMapDirectory(Path.of(a[1]))) {
      IndexWriterConfig c = new IndexWriterConfig(LuceneDriver.analyzer());
      c.setMergePolicy(NoMergePolicy.INSTANCE);
      c.setUseCompoundFile(false);
      c.setRAMBufferSizeMB(1024);
      c.setMergeScheduler(new SerialMergeScheduler());
      try (IndexWriter w = new IndexWriter(dir, c);
          BufferedReader r = Files.newBufferedReader(Path.of(a[0]))) {
        long n = 0;
        for (String line; (line = r.readLine()) != null; ) {
          String[] f = line.split("\t", 3);
          Document d = new Document();
          d.add(new StringField("id", f[0], Field.Store.YES));
          d.add(new Field("text", f[1] + " " + f[2], type));
          w.addDocument(d);
          if (++n * 10 / count > (n - 1) * 10 / count) w.flush();
        }
        w.commit();
      }
      IndexWriterConfig m = new IndexWriterConfig(LuceneDriver.analyzer());
      m.setUseCompoundFile(false);
      m.setMergeScheduler(new SerialMergeScheduler());
      try (IndexWriter w = new IndexWriter(dir, m)) {
        int segments = SegmentInfos.readLatestCommit(dir).size();
        long start = System.nanoTime();
        w.forceMerge(1, true);
        w.commit();
        long end = System.nanoTime();
        System.out.printf(
            "{\"docs\":%d,\"segments\":%d,\"merge_s\":%.6f,\"segments_after\":%d}%n",
            w.getDocStats().numDocs, segments, (end - start) / 1e9,
            SegmentInfos.readLatestCommit(dir).size());
      }
    }
  }
}
