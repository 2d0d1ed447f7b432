import java.io.*;
import java.nio.file.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import org.apache.lucene.analysis.*;
import org.apache.lucene.analysis.core.*;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.util.CharTokenizer;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.search.*;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.*;
import org.apache.lucene.util.Version;

/** Peer driver for Lucene: index | serve | cold | update | info. See ../PROTOCOL.md. */
public class LuceneDriver {
  static Analyzer analyzer() {
    return new Analyzer() {
      protected TokenStreamComponents createComponents(String f) {
        Tokenizer t = CharTokenizer.fromTokenCharPredicate(Character::isLetterOrDigit);
        return new TokenStreamComponents(
            t, new ASCIIFoldingFilter(new org.apache.lucene.analysis.core.LowerCaseFilter(t)));
      }
    };
  }
  static final Analyzer AN = analyzer();
  static List<String> toks(String s) throws IOException {
    List<String> r = new ArrayList<>();
    try (TokenStream ts = AN.tokenStream("text", s)) {
      CharTermAttribute a = ts.addAttribute(CharTermAttribute.class);
      ts.reset();
      while (ts.incrementToken())
        r.add(a.toString());
      ts.end();
    }
    return r;
  }

  // ---- query grammar of the harness -> Lucene query
  static Query atom(String w) throws IOException {
    if (w.startsWith("\"")) {
      List<String> t = toks(w);
      if (t.size() == 1)
        return new TermQuery(new Term("text", t.get(0)));
      PhraseQuery.Builder b = new PhraseQuery.Builder();
      for (String x : t)
        b.add(new Term("text", x));
      return b.build();
    }
    if (w.endsWith("*"))
      return new PrefixQuery(new Term("text", toks(w).get(0)));
    int i = w.indexOf('~');
    if (i > 0)
      return new FuzzyQuery(new Term("text", toks(w.substring(0, i)).get(0)),
          Integer.parseInt(w.substring(i + 1)), 0, 1024, true);
    List<String> t = toks(w);
    if (t.isEmpty())
      return new MatchNoDocsQuery();
    return new TermQuery(new Term("text", t.get(0)));
  }
  static Query parse(String q) throws IOException {
    List<Query> qs = new ArrayList<>();
    List<BooleanClause.Occur> os = new ArrayList<>();
    int i = 0, n = q.length();
    while (i < n) {
      char c = q.charAt(i);
      if (c == ' ') {
        i++;
        continue;
      }
      BooleanClause.Occur o = BooleanClause.Occur.SHOULD;
      if (c == '+') {
        o = BooleanClause.Occur.MUST;
        i++;
      } else if (c == '-') {
        o = BooleanClause.Occur.MUST_NOT;
        i++;
      }
      int e;
      if (q.charAt(i) == '"') {
        e = q.indexOf('"', i + 1) + 1;
      } else {
        e = q.indexOf(' ', i);
        if (e < 0)
          e = n;
      }
      qs.add(atom(q.substring(i, e)));
      os.add(o);
      i = e;
    }
    if (qs.size() == 1 && os.get(0) != BooleanClause.Occur.MUST_NOT)
      return qs.get(0);
    BooleanQuery.Builder b = new BooleanQuery.Builder();
    for (int k = 0; k < qs.size(); k++)
      b.add(qs.get(k), os.get(k));
    return b.build();
  }
  static long rss() {
    try {
      for (String l : Files.readAllLines(Path.of("/proc/self/status")))
        if (l.startsWith("VmHWM"))
          return Long.parseLong(l.replaceAll("[^0-9]", ""));
    } catch (IOException e) {
    }
    return 0;
  }

  static long sink;
  static long run(IndexSearcher s, String cmd, Query q) throws IOException {
    switch (cmd) {
      case "COUNT":
        return s.count(q);
      case "TOP_10": {
        TopDocs t = s.search(q, new TopScoreDocCollectorManager(10, null, 10));
        return t.scoreDocs.length;
      }
      case "TOP_100": {
        TopDocs t = s.search(q, new TopScoreDocCollectorManager(100, null, 100));
        return t.scoreDocs.length;
      }
      case "TOP_1000": {
        TopDocs t = s.search(q, new TopScoreDocCollectorManager(1000, null, 1000));
        return t.scoreDocs.length;
      }
      case "TOP_10_COUNT": {
        TopDocs t = s.search(q, new TopScoreDocCollectorManager(10, null, Integer.MAX_VALUE));
        return t.totalHits.value();
      }
      case "DOCS_10": {
        TopDocs t = s.search(q, new TopScoreDocCollectorManager(10, null, 10));
        StoredFields sf = s.storedFields();
        for (ScoreDoc d : t.scoreDocs) {
          Document doc = sf.document(d.doc);
          String a = doc.get("title"), b = doc.get("body");
          sink += (a == null ? 0 : a.length()) + (b == null ? 0 : b.length());
        }
        return t.scoreDocs.length;
      }
      default:
        return -1;
    }
  }
  static IndexWriterConfig cfg(int mb) {
    IndexWriterConfig c = new IndexWriterConfig(AN);
    c.setRAMBufferSizeMB(mb);
    c.setUseCompoundFile(false);
    c.setSimilarity(new BM25Similarity());
    return c;
  }
  static Document doc(String line, boolean store) {
    int a = line.indexOf('\t'), b = line.indexOf('\t', a + 1);
    String id = line.substring(0, a), t = line.substring(a + 1, b), body = line.substring(b + 1);
    Document d = new Document();
    d.add(new StringField("id", id, Field.Store.YES));
    d.add(new TextField("text", t + " " + body, Field.Store.NO));
    if (store) {
      d.add(new StoredField("title", t));
      d.add(new StoredField("body", body));
    }
    return d;
  }

  public static void main(String[] a) throws Exception {
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    switch (a[0]) {
      case "info":
        out.println("{\"name\":\"lucene\",\"version\":\"" + Version.LATEST + "\",\"java\":\""
            + System.getProperty("java.version") + "\"}");
        break;
      case "index": { // index TSV DIR --store x --threads n
        boolean store = false;
        int th = 1;
        for (int i = 3; i < a.length; i++) {
          if (a[i].equals("--store"))
            store = a[++i].equals("1");
          else if (a[i].equals("--threads"))
            th = Integer.parseInt(a[++i]);
        }
        final boolean st = store;
        long t0 = System.nanoTime();
        long n = 0, bytes = 0;
        try (Directory dir = FSDirectory.open(Path.of(a[2]));
            IndexWriter w = new IndexWriter(dir, cfg(256));
            BufferedReader r = new BufferedReader(
                new InputStreamReader(new FileInputStream(a[1]), StandardCharsets.UTF_8),
                1 << 20)) {
          if (th == 1) {
            String l;
            while ((l = r.readLine()) != null) {
              w.addDocument(doc(l, st));
              n++;
            }
          } else {
            ArrayBlockingQueue<String> q = new ArrayBlockingQueue<>(1000);
            String end = new String("\0");
            Thread[] ts = new Thread[th];
            for (int i = 0; i < th; i++) {
              ts[i] = new Thread(() -> {
                try {
                  while (true) {
                    String l = q.take();
                    if (l == end) {
                      q.put(end);
                      return;
                    }
                    w.addDocument(doc(l, st));
                  }
                } catch (Exception e) {
                  e.printStackTrace();
                  System.exit(1);
                }
              });
              ts[i].start();
            }
            String l;
            while ((l = r.readLine()) != null) {
              q.put(l);
              n++;
            }
            q.put(end);
            for (Thread t : ts)
              t.join();
          }
          long t1 = System.nanoTime();
          w.commit();
          long t2 = System.nanoTime();
          w.forceMerge(1, true);
          w.commit();
          long t3 = System.nanoTime();
          out.printf(Locale.ROOT,
              "{\"docs\":%d,\"add_s\":%.3f,\"commit_s\":%.3f,\"merge_s\":%.3f,\"peak_rss_kb\":%d}%"
              + "n",
              n, (t1 - t0) / 1e9, (t2 - t1) / 1e9, (t3 - t2) / 1e9, rss());
        }
        break;
      }
      case "cold": {
        long t0 = System.nanoTime();
        DirectoryReader r = DirectoryReader.open(FSDirectory.open(Path.of(a[1])));
        IndexSearcher s = new IndexSearcher(r);
        s.setQueryCache(null);
        long t1 = System.nanoTime();
        Query q = parse(a[2]);
        long c = run(s, "TOP_10", q);
        long t2 = System.nanoTime();
        run(s, "TOP_10", q);
        long t3 = System.nanoTime();
        out.printf(
            "{\"open_ns\":%d,\"first_ns\":%d,\"second_ns\":%d,\"count\":%d,\"peak_rss_kb\":%d}%n",
            t1 - t0, t2 - t1, t3 - t2, c, rss());
        break;
      }
      case "update": {
        int N = Integer.parseInt(a[3]);
        List<String> lines = new ArrayList<>();
        try (BufferedReader r = Files.newBufferedReader(Path.of(a[2]))) {
          String l;
          while (lines.size() < N && (l = r.readLine()) != null)
            lines.add(l);
        }
        StringBuilder nrt = new StringBuilder(), cyc = new StringBuilder(),
                      del = new StringBuilder();
        boolean ok = true;
        long delBatch;
        try (Directory dir = FSDirectory.open(Path.of(a[1]));
            IndexWriter w = new IndexWriter(dir, cfg(64))) {
          DirectoryReader rd = DirectoryReader.open(w);
          for (int mode = 0; mode < 2; mode++)
            for (int i = 0; i < N; i++) {
              String l = lines.get(i % lines.size());
              String id = l.substring(0, l.indexOf('\t'));
              String tok = "zzupd" + mode + "x" + i;
              Document d = doc(l + " " + tok, true);
              long t0 = System.nanoTime();
              w.updateDocument(new Term("id", id), d);
              if (mode == 1)
                w.commit();
              DirectoryReader n2 = DirectoryReader.openIfChanged(rd, w);
              if (n2 != null) {
                rd.close();
                rd = n2;
              }
              IndexSearcher s = new IndexSearcher(rd);
              s.setQueryCache(null);
              int c = s.count(new TermQuery(new Term("text", tok)));
              long t = System.nanoTime() - t0;
              ok &= c == 1;
              (mode == 0 ? nrt : cyc).append(i > 0 ? "," : "").append(t);
            }
          int D = Math.min(N, lines.size());
          long t0 = System.nanoTime();
          for (int i = 0; i < D / 2; i++)
            w.deleteDocuments(
                new Term("id", lines.get(i).substring(0, lines.get(i).indexOf('\t'))));
          w.commit();
          delBatch = System.nanoTime() - t0;
          for (int i = D / 2; i < D; i++) {
            long t1 = System.nanoTime();
            w.deleteDocuments(
                new Term("id", lines.get(i).substring(0, lines.get(i).indexOf('\t'))));
            w.commit();
            DirectoryReader n2 = DirectoryReader.openIfChanged(rd, w);
            if (n2 != null) {
              rd.close();
              rd = n2;
            }
            del.append(del.length() > 0 ? "," : "").append(System.nanoTime() - t1);
          }
          out.println("{\"nrt_ns\":[" + nrt + "],\"cycle_ns\":[" + cyc + "],\"del_ns\":[" + del
              + "],\"del_batch_ns\":" + delBatch + ",\"del_batch_n\":" + (D / 2) + ",\"ok\":" + ok
              + ",\"docs_after\":" + rd.numDocs() + ",\"peak_rss_kb\":" + rss() + "}");
        }
        break;
      }
      case "serve": {
        DirectoryReader r = DirectoryReader.open(FSDirectory.open(Path.of(a[1])));
        IndexSearcher s = new IndexSearcher(r);
        s.setQueryCache(null);
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String l;
        while ((l = in.readLine()) != null) {
          int t = l.indexOf('\t');
          String c = t < 0 ? l : l.substring(0, t), q = t < 0 ? "" : l.substring(t + 1);
          if (c.equals("STATS")) {
            out.println("{\"peak_rss_kb\":" + rss() + ",\"segments\":" + r.leaves().size()
                + ",\"docs\":" + r.numDocs() + "}");
            continue;
          }
          boolean timed = c.startsWith("T:");
          if (timed)
            c = c.substring(2);
          if (c.startsWith("HITS_")) {
            TopDocs td = s.search(parse(q), Integer.parseInt(c.substring(5)));
            StringBuilder b = new StringBuilder("[");
            StoredFields sf = s.storedFields();
            for (ScoreDoc d : td.scoreDocs) {
              if (b.length() > 1)
                b.append(',');
              b.append("[\"")
                  .append(sf.document(d.doc, Set.of("id")).get("id"))
                  .append("\",")
                  .append(d.score)
                  .append(']');
            }
            out.println(b.append(']'));
            continue;
          }
          long p0 = System.nanoTime();
          Query qq = parse(q);
          long t0 = System.nanoTime();
          long res = run(s, c, qq);
          long t1 = System.nanoTime();
          if (res < 0)
            out.println("UNSUPPORTED");
          else if (timed)
            out.println(res + "\t" + (t1 - t0) + "\t" + (t0 - p0));
          else
            out.println(res);
        }
        break;
      }
    }
  }
}
