import { openReader } from '../../src/lib/server/db/sqlite/sqlite.ts';

/**
 * `node transactions.ts <file> <seconds> <characters>` prints how many durable transactions per second one
 * process commits when each inserts one row of that many characters. It uses the product's pragmas and none
 * of its other code.
 */
const [file = '', seconds = '2', characters = '100'] = process.argv.slice(2);
const database = openReader(file);
database.exec('pragma query_only = OFF');
database.exec('create table if not exists rows (id integer primary key, content text not null)');
const [begin, insert, commit] = ['begin immediate', 'insert into rows (content) values (?)', 'commit'].map(
  (text) => database.prepare(text),
);
const content = '字'.repeat(Number(characters));
const started = performance.now();
let count = 0;
while (performance.now() - started < Number(seconds) * 1000) {
  begin?.run();
  insert?.run(content);
  commit?.run();
  count++;
}
process.stdout.write(String((count / (performance.now() - started)) * 1000));
database.close();
