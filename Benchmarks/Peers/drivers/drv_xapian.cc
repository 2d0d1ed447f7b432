// Xapian peer driver: index | serve | cold | update | info (see ../PROTOCOL.md)
#include <sys/stat.h>
#include <xapian.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "foldtab.h"
using namespace std;
using std::string;
static int64_t ns() {
  return chrono::duration_cast<chrono::nanoseconds>(chrono::steady_clock::now().time_since_epoch())
      .count();
}
static long hwm() {
  ifstream f("/proc/self/status");
  string l;
  while (getline(f, l))
    if (l.rfind("VmHWM", 0) == 0)
      return atol(l.c_str() + 6);
  return 0;
}
template <class F>
static void tokenize(const char* p, const char* e, F f) {
  string w;
  auto flush = [&] {
    if (!w.empty()) {
      if (w.size() <= 200)
        f(w);
      w.clear();
    }
  };
  while (p < e) {
    unsigned char c = *p;
    if (c < 0x80) {
      if (c >= 'a' && c <= 'z' || c >= '0' && c <= '9')
        w += c;
      else if (c >= 'A' && c <= 'Z')
        w += char(c | 32);
      else
        flush();
      p++;
    } else {
      unsigned cp;
      int n;
      if (c >= 0xf0) {
        cp = c & 7;
        n = 4;
      } else if (c >= 0xe0) {
        cp = c & 15;
        n = 3;
      } else {
        cp = c & 31;
        n = 2;
      }
      if (p + n > e)
        break;
      for (int i = 1; i < n; i++)
        cp = cp << 6 | (p[i] & 0x3f);
      if (cp < 0x2200) {
        const char* s = FOLD[cp - 0x80];
        if (s)
          w += s;
        else if (!(cp >= 0x300 && cp < 0x370))
          flush();
      } else {
        auto cat = Xapian::Unicode::get_category(cp);
        if (cat >= Xapian::Unicode::UPPERCASE_LETTER && cat <= Xapian::Unicode::OTHER_LETTER ||
            cat >= Xapian::Unicode::DECIMAL_DIGIT_NUMBER && cat <= Xapian::Unicode::OTHER_NUMBER)
          Xapian::Unicode::append_utf8(w, Xapian::Unicode::tolower(cp));
        else
          flush();
      }
      p += n;
    }
  }
  flush();
}
static vector<string> toks(const string& s) {
  vector<string> v;
  tokenize(s.data(), s.data() + s.size(), [&](const string& w) { v.push_back(w); });
  return v;
}
struct Unsup {};
static Xapian::Query atom(const string& w) {
  if (w[0] == '"') {
    auto t = toks(w);
    if (t.size() == 1)
      return Xapian::Query(t[0]);
    return Xapian::Query(Xapian::Query::OP_PHRASE, t.begin(), t.end(), t.size());
  }
  if (w.back() == '*')
    return Xapian::Query(Xapian::Query::OP_WILDCARD, toks(w)[0]);
  if (w.find('~') != string::npos)
    throw Unsup();
  auto t = toks(w);
  return t.empty() ? Xapian::Query::MatchNothing : Xapian::Query(t[0]);
}
static Xapian::Query parse(const string& q) {
  vector<Xapian::Query> m, s, x;
  size_t i = 0, n = q.size();
  while (i < n) {
    char c = q[i];
    if (c == ' ') {
      i++;
      continue;
    }
    char o = 0;
    if (c == '+' || c == '-') {
      o = c;
      i++;
    }
    size_t e;
    if (q[i] == '"')
      e = q.find('"', i + 1) + 1;
    else {
      e = q.find(' ', i);
      if (e == string::npos)
        e = n;
    }
    (o == '+' ? m : o == '-' ? x : s).push_back(atom(q.substr(i, e - i)));
    i = e;
  }
  Xapian::Query r;
  if (!m.empty()) {
    r = m.size() == 1 ? m[0] : Xapian::Query(Xapian::Query::OP_AND, m.begin(), m.end());
    if (!s.empty())
      r = Xapian::Query(Xapian::Query::OP_AND_MAYBE, r,
                        Xapian::Query(Xapian::Query::OP_OR, s.begin(), s.end()));
  } else
    r = s.size() == 1 ? s[0] : Xapian::Query(Xapian::Query::OP_OR, s.begin(), s.end());
  if (!x.empty())
    r = Xapian::Query(Xapian::Query::OP_AND_NOT, r,
                      Xapian::Query(Xapian::Query::OP_OR, x.begin(), x.end()));
  return r;
}
static Xapian::Document mk(const string& id, const string& t, const string& b, bool store,
                           const string& extra = "") {
  Xapian::Document d;
  Xapian::termpos p = 0;
  auto f = [&](const string& w) { d.add_posting(w, ++p); };
  tokenize(t.data(), t.data() + t.size(), f);
  tokenize(b.data(), b.data() + b.size(), f);
  if (!extra.empty())
    d.add_posting(extra, ++p);
  d.add_boolean_term("Q" + id);
  if (store)
    d.set_data(id + "\t" + t + "\t" + b);
  else
    d.set_data(id);
  return d;
}
static bool split(const string& l, string& i, string& t, string& b) {
  size_t x = l.find('\t'), y = l.find('\t', x + 1);
  if (y == string::npos)
    return false;
  i = l.substr(0, x);
  t = l.substr(x + 1, y - x - 1);
  b = l.substr(y + 1);
  return true;
}
static long run(Xapian::Database& db, const string& c, const Xapian::Query& q) {
  Xapian::Enquire e(db);
  e.set_query(q);
  if (c == "COUNT") {
    e.set_weighting_scheme(Xapian::BoolWeight());
    e.set_docid_order(Xapian::Enquire::DONT_CARE);
    return e.get_mset(0, 0, db.get_doccount()).get_matches_lower_bound();
  }
  e.set_weighting_scheme(Xapian::BM25Weight(1.2, 0, 1, 0.75, 0));
  if (c == "TOP_10")
    return e.get_mset(0, 10).size();
  if (c == "TOP_100")
    return e.get_mset(0, 100).size();
  if (c == "TOP_1000")
    return e.get_mset(0, 1000).size();
  if (c == "TOP_10_COUNT")
    return e.get_mset(0, 10, db.get_doccount()).get_matches_lower_bound();
  if (c == "DOCS_10") {
    auto m = e.get_mset(0, 10);
    long n = 0;
    for (auto i = m.begin(); i != m.end(); ++i) {
      n += i.get_document().get_data().size() > 0;
    }
    return n;
  }
  throw Unsup();
}
int main(int a, char** v) {
  ios::sync_with_stdio(false);
  string c = v[1];
  if (c == "info") {
    printf("{\"name\":\"xapian\",\"version\":\"%s\"}\n", Xapian::version_string());
    return 0;
  }
  if (c == "index") {
    bool store = false;
    for (int i = 4; i < a; i++) {
      if (!strcmp(v[i], "--store"))
        store = atoi(v[++i]);
    }
    int64_t t0 = ns();
    long n = 0;
    string tmp = string(v[3]) + ".raw";
    int64_t t1, t2, t3;
    {
      setenv("XAPIAN_FLUSH_THRESHOLD", "100000", 1);
      Xapian::WritableDatabase db(tmp, Xapian::DB_CREATE_OR_OVERWRITE | Xapian::DB_BACKEND_GLASS);
      ifstream f(v[2]);
      string l, i, t, b;
      while (getline(f, l))
        if (split(l, i, t, b)) {
          db.add_document(mk(i, t, b, store));
          n++;
        }
      t1 = ns();
      db.commit();
      t2 = ns();
    }
    {
      Xapian::Database db(tmp);
      db.compact(v[3], Xapian::DBCOMPACT_NO_RENUMBER, 0);
      t3 = ns();
    }
    (void)!system(("rm -rf " + tmp).c_str());
    printf("{\"docs\":%ld,\"add_s\":%.3f,\"commit_s\":%.3f,\"merge_s\":%.3f,\"peak_rss_kb\":%ld}\n",
           n, (t1 - t0) / 1e9, (t2 - t1) / 1e9, (t3 - t2) / 1e9, hwm());
    return 0;
  }
  if (c == "cold") {
    int64_t t0 = ns();
    Xapian::Database db(v[2]);
    int64_t t1 = ns();
    auto q = parse(v[3]);
    long n = run(db, "TOP_10", q);
    int64_t t2 = ns();
    run(db, "TOP_10", q);
    int64_t t3 = ns();
    printf(
        "{\"open_ns\":%ld,\"first_ns\":%ld,\"second_ns\":%ld,\"count\":%ld,\"peak_rss_kb\":%ld}\n",
        t1 - t0, t2 - t1, t3 - t2, n, hwm());
    return 0;
  }
  if (c == "update") {
    int N = atoi(v[4]);
    vector<array<string, 3>> ds;
    {
      ifstream f(v[3]);
      string l, i, t, b;
      while ((int)ds.size() < N && getline(f, l))
        if (split(l, i, t, b))
          ds.push_back({i, t, b});
    }
    Xapian::WritableDatabase w(v[2], Xapian::DB_OPEN);
    Xapian::Database r(v[2]);
    bool store = r.get_document(*r.postlist_begin("")).get_data().find('\t') != string::npos;
    string cyc, del;
    bool ok = true;
    for (int n = 0; n < N; n++) {
      auto& d = ds[n % ds.size()];
      string tok = "zzupd1x" + to_string(n);
      int64_t t0 = ns();
      w.replace_document("Q" + d[0], mk(d[0], d[1], d[2], store, tok));
      w.commit();
      r.reopen();
      long k = run(r, "COUNT", Xapian::Query(tok));
      cyc += (n ? "," : "") + to_string(ns() - t0);
      ok &= k == 1;
    }
    size_t h = ds.size() / 2;
    int64_t t0 = ns();
    for (size_t i = 0; i < h; i++)
      w.delete_document("Q" + ds[i][0]);
    w.commit();
    int64_t db = ns() - t0;
    for (size_t i = h; i < ds.size(); i++) {
      int64_t t1 = ns();
      w.delete_document("Q" + ds[i][0]);
      w.commit();
      r.reopen();
      del += (del.empty() ? "" : ",") + to_string(ns() - t1);
    }
    printf(
        "{\"cycle_ns\":[%s],\"del_ns\":[%s],\"del_batch_ns\":%ld,\"del_batch_n\":%zu,\"ok\":%s,"
        "\"docs_after\":%u,\"peak_rss_kb\":%ld}\n",
        cyc.c_str(), del.c_str(), db, h, ok ? "true" : "false", r.get_doccount(), hwm());
    return 0;
  }
  if (c == "serve") {
    Xapian::Database db(v[2]);
    string l;
    while (getline(cin, l)) {
      size_t t = l.find('\t');
      string k = l.substr(0, t), q = t == string::npos ? "" : l.substr(t + 1);
      if (k == "STATS") {
        printf("{\"docs\":%u,\"peak_rss_kb\":%ld}\n", db.get_doccount(), hwm());
        fflush(stdout);
        continue;
      }
      bool timed = k.rfind("T:", 0) == 0;
      if (timed)
        k = k.substr(2);
      try {
        if (k.rfind("HITS_", 0) == 0) {
          Xapian::Enquire e(db);
          e.set_query(parse(q));
          e.set_weighting_scheme(Xapian::BM25Weight(1.2, 0, 1, 0.75, 0));
          auto m = e.get_mset(0, atoi(k.c_str() + 5));
          string s = "[";
          for (auto i = m.begin(); i != m.end(); ++i) {
            string d = i.get_document().get_data();
            s += (s.size() > 1 ? "," : "") + string("[\"") + d.substr(0, d.find('\t')) + "\"," +
                 to_string(i.get_weight()) + "]";
          }
          puts((s + "]").c_str());
          fflush(stdout);
          continue;
        }
        int64_t p0 = ns();
        auto qq = parse(q);
        int64_t t0 = ns();
        long r = run(db, k, qq);
        int64_t t1 = ns();
        if (timed)
          printf("%ld\t%ld\t%ld\n", r, t1 - t0, t0 - p0);
        else
          printf("%ld\n", r);
      } catch (Unsup&) {
        puts("UNSUPPORTED");
      }
      fflush(stdout);
    }
  }
}
