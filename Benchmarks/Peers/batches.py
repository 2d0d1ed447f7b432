#!/usr/bin/env python3
"""Puts and deletes in durable batches of 1, 10, 100 and 1,000: microseconds a document.

    batches.py CORPUS.tsv [LIMELIGHT-BENCH]

Tantivy and SQLite FTS5 in this process, Limelight by its driver, one after the other, each into a new
index without stored text. A batch ends with the engine's durable commit; for Tantivy also with the
reload without which a search does not see it.
"""
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'drivers'))
from common import docs

SIZES = [1, 10, 100, 1000]


def count(size):
    return min(max(size * 40, 400), 10_000)


def batches(documents, size):
    for start in range(0, len(documents), size):
        yield documents[start:start + size]


class Tantivy:
    name = 'tantivy'

    def __init__(self, folder):
        import tantivy
        self.tantivy = tantivy
        schema = tantivy.SchemaBuilder()
        schema.add_text_field('id', stored=True, tokenizer_name='raw', index_option='basic')
        schema.add_text_field('text', stored=False, tokenizer_name='fold', index_option='position')
        os.makedirs(folder)
        self.index = tantivy.Index(schema.build(), path=folder, reuse=False)
        self.index.register_tokenizer(
            'fold',
            tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
            .filter(tantivy.Filter.lowercase()).filter(tantivy.Filter.ascii_fold()).build())
        self.index.config_reader('manual', 0)
        self.writer = self.index.writer(heap_size=256_000_000, num_threads=1)

    def put(self, batch):
        for id, title, body in batch:
            self.writer.delete_documents_by_term('id', id)
            self.writer.add_document(self.tantivy.Document(id=id, text=title + ' ' + body))
        self.writer.commit()
        self.index.reload()

    def delete(self, batch):
        for id, _, _ in batch:
            self.writer.delete_documents_by_term('id', id)
        self.writer.commit()
        self.index.reload()

    def left(self):
        return self.index.searcher().num_docs


class FTS5:
    name = 'fts5'

    def __init__(self, folder):
        import apsw
        os.makedirs(folder)
        self.db = apsw.Connection(os.path.join(folder, 'fts.db'), statementcachesize=1024)
        for pragma in ('journal_mode=WAL', 'synchronous=FULL', 'cache_size=-262144'):
            list(self.db.execute('pragma ' + pragma))
        self.db.execute('create table doc(rowid integer primary key, id text unique)')
        self.db.execute(
            "create virtual table t using fts5(text_, content='', contentless_delete=1, detail=full,"
            ' tokenize="unicode61 remove_diacritics 2")')

    def remove(self, id):
        for (row,) in list(self.db.execute('select rowid from doc where id=?', (id,))):
            self.db.execute('delete from t where rowid=?', (row,))
            self.db.execute('delete from doc where rowid=?', (row,))

    def put(self, batch):
        self.db.execute('begin immediate')
        for id, title, body in batch:
            self.remove(id)
            self.db.execute('insert into doc(id) values(?)', (id,))
            self.db.execute(
                'insert into t(rowid, text_) values(last_insert_rowid(), ?)', (title + ' ' + body,))
        self.db.execute('commit')

    def delete(self, batch):
        self.db.execute('begin immediate')
        for id, _, _ in batch:
            self.remove(id)
        self.db.execute('commit')

    def left(self):
        return next(iter(self.db.execute('select count(*) from doc')))[0]


def measure(engine, documents, folder):
    result = {'put_ns': {}, 'del_ns': {}}
    for size in SIZES:
        index = engine(f'{folder}.{engine.name}.{size}')
        own = documents[:count(size)]
        for key, step in (('put_ns', index.put), ('del_ns', index.delete)):
            spent = 0
            for batch in batches(own, size):
                start = time.perf_counter_ns()
                step(batch)
                spent += time.perf_counter_ns() - start
            result[key][str(size)] = spent / len(own)
        assert index.left() == 0
    return result


def main():
    corpus = sys.argv[1]
    work = os.environ.get('PEERS_WORK', os.path.expanduser('~/.cache/limelight-peers'))
    documents = list(itertools.islice(docs(corpus), max(map(count, SIZES))))
    folder = tempfile.mkdtemp(dir=work)
    try:
        results = {e.name: measure(e, documents, os.path.join(folder, 'i')) for e in (Tantivy, FTS5)}
        if len(sys.argv) > 2:
            out = subprocess.run(
                [sys.argv[2], 'driver', 'batches', corpus, os.path.join(folder, 'limelight')],
                check=True, capture_output=True, text=True).stdout
            results['limelight'] = json.loads(out)
    finally:
        shutil.rmtree(folder)
    print('| us a document | ' + ' | '.join(
        f'{what} {size}' for what in ('put', 'delete') for size in SIZES) + ' |')
    print('|---|' + '--:|' * (2 * len(SIZES)))
    for name, result in results.items():
        print(f'| {name} | ' + ' | '.join(
            f'{result[key][str(size)] / 1e3:.1f}' for key in ('put_ns', 'del_ns') for size in SIZES)
            + ' |')


if __name__ == '__main__':
    main()
