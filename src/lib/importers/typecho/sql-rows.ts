import { Problem } from '../../markdown-file/problem.ts';
import { SqlLexer, type TakeToken, type TokenKind } from './sql-lexer.ts';
import { MIB } from '../../contract/rules/units.ts';

export interface DumpReader {
  /** Whether the table is needed; others are skipped. */
  wants(table: string): boolean;
  /** Called for a needed table before its rows, even if it has no rows. */
  table(name: string): void;
  row(table: string, columns: readonly string[], values: readonly (string | null)[]): void;
}

const MAX_COLUMNS = 1_000;
const MAX_ROW_CHARACTERS = 128 * MIB;
const CONSTRAINTS = new Set('PRIMARY UNIQUE KEY INDEX FULLTEXT SPATIAL CONSTRAINT FOREIGN CHECK'.split(' '));
const BEFORE_TABLE = new Set('LOW_PRIORITY DELAYED HIGH_PRIORITY IGNORE INTO'.split(' '));
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * Reads rows that a MySQL dump inserts, with or without column names, one or many at once, as mysqldump and
 * phpMyAdmin write them. Skips other statements.
 * @throws Problem if the dump ends within a statement, or contains an unreadable row
 */
export async function readDumpRows(text: AsyncIterable<string>, reader: DumpReader): Promise<void> {
  const statements = new Statements(reader);
  const lexer = new SqlLexer(statements.take);
  for await (const piece of text) lexer.feed(piece);
  if (!lexer.end() || !statements.isComplete) throw new Problem('SQL 转储不完整：它在一条语句中间结束了');
}

class Statements {
  readonly #reader: DumpReader;
  #next: TakeToken;
  readonly #created = new Map<string, string[]>();
  #table = '';
  #columns: string[] = [];
  #hasColumns = false;
  #depth = 0;
  #values: (string | null)[] = [];
  #rowLength = 0;
  #bare = '';
  #string: string | null = null;

  constructor(reader: DumpReader) {
    this.#reader = reader;
    this.#next = this.#start;
  }

  readonly take: TakeToken = (kind, text) => this.#next(kind, text);

  /** Whether no statement is open; a skipped one may lack its end. */
  get isComplete(): boolean {
    return this.#next === this.#start || this.#next === this.#skip;
  }

  readonly #start: TakeToken = (kind, text) => {
    if (kind === 'sign' && text === ';') return;
    const verb = kind === 'word' ? text.toUpperCase() : '';
    if (verb === 'CREATE') this.#next = this.#create;
    else if (verb === 'INSERT' || verb === 'REPLACE') this.#next = this.#into;
    else this.#next = this.#skip;
  };

  readonly #skip: TakeToken = (kind, text) => {
    if (kind === 'sign' && text === ';') this.#next = this.#start;
  };

  readonly #create: TakeToken = (kind, text) => {
    const word = kind === 'word' ? text.toUpperCase() : '';
    if (word === 'TEMPORARY') return;
    this.#table = '';
    this.#next = word === 'TABLE' ? this.#createName : this.#skip;
  };

  readonly #createName: TakeToken = (kind, text) => {
    if (kind === 'word' && /^(?:if|not|exists)$/i.test(text)) return;
    if (this.#takesName(kind, text)) return;
    if (kind !== 'sign' || text !== '(') return this.#pass(kind, text);
    this.#columns = [];
    this.#depth = 1;
    this.#next = this.#element;
  };

  readonly #element: TakeToken = (kind, text) => {
    const isColumn = kind === 'name' || (kind === 'word' && !CONSTRAINTS.has(text.toUpperCase()));
    if (isColumn) this.#addColumn(text);
    this.#next = this.#definition;
    if (kind === 'sign') this.#definition(kind, text);
  };

  readonly #definition: TakeToken = (kind, text) => {
    if (kind !== 'sign') return;
    if (text === '(') this.#depth += 1;
    else if (text === ')') this.#depth -= 1;
    else if (text === ',' && this.#depth === 1) this.#next = this.#element;
    if (this.#depth > 0) return;
    this.#created.set(this.#table, this.#columns);
    if (this.#reader.wants(this.#table)) this.#reader.table(this.#table);
    this.#next = this.#skip;
  };

  readonly #into: TakeToken = (kind, text) => {
    if (kind === 'word' && BEFORE_TABLE.has(text.toUpperCase())) return;
    this.#table = '';
    this.#hasColumns = false;
    this.#next = this.#target;
    this.#target(kind, text);
  };

  readonly #target: TakeToken = (kind, text) => {
    const isValues = kind === 'word' && /^values?$/i.test(text) && this.#table !== '';
    if (!isValues && this.#takesName(kind, text)) return;
    if (!this.#reader.wants(this.#table)) return this.#pass(kind, text);
    if (isValues) return this.#beginRows();
    if (kind !== 'sign' || text !== '(' || this.#hasColumns) throw this.#unread();
    this.#columns = [];
    this.#hasColumns = true;
    this.#next = this.#columnName;
  };

  readonly #columnName: TakeToken = (kind, text) => {
    if (kind !== 'sign') this.#addColumn(text);
    else if (text === ')') this.#next = this.#target;
    else if (text !== ',') throw this.#unread();
  };

  #beginRows(): void {
    if (!this.#hasColumns) {
      const columns = this.#created.get(this.#table);
      if (!columns)
        throw new Problem(
          `SQL 转储没有说明表 ${this.#table} 的列名：导出时请带上表结构，或使用完整插入（--complete-insert）`,
        );
      this.#columns = columns;
    }
    this.#next = this.#beforeRow;
  }

  readonly #beforeRow: TakeToken = (kind, text) => {
    if (kind !== 'sign' || text !== '(') throw this.#unread();
    this.#values = [];
    this.#rowLength = 0;
    this.#next = this.#value;
  };

  readonly #afterRow: TakeToken = (kind, text) => {
    // `ON DUPLICATE KEY UPDATE …` may follow.
    if (kind !== 'sign') this.#next = this.#skip;
    else if (text === ';') this.#next = this.#start;
    else if (text === ',') this.#next = this.#beforeRow;
    else throw this.#unread();
  };

  readonly #value: TakeToken = (kind, text) => {
    if (kind === 'string') return this.#takeString(text);
    if (kind === 'word' || (kind === 'sign' && (text === '-' || text === '+'))) {
      if (this.#string !== null || this.#bare.length > MAX_ROW_CHARACTERS) throw this.#unread();
      this.#bare += text;
      return;
    }
    if (kind !== 'sign' || (text !== ',' && text !== ')')) throw this.#unread();
    const value = this.#valueRead();
    this.#rowLength += value?.length ?? 0;
    if (this.#values.push(value) > MAX_COLUMNS || this.#rowLength > MAX_ROW_CHARACTERS) throw this.#unread();
    if (text === ')') this.#endRow();
  };

  /** Joins adjacent strings; the name of a character set may precede them (`_utf8mb4'…'`). */
  #takeString(text: string): void {
    const isNamed = this.#bare === '' || /^(?:_\w+|n|x)$/i.test(this.#bare);
    if (!isNamed || (this.#string?.length ?? 0) > MAX_ROW_CHARACTERS) throw this.#unread();
    this.#string = (this.#string ?? '') + text;
  }

  #valueRead(): string | null {
    const [bare, string] = [this.#bare, this.#string];
    this.#bare = '';
    this.#string = null;
    if (string !== null) return /^x$/i.test(bare) ? this.#fromHex(string) : string;
    if (/^null$/i.test(bare)) return null;
    if (/^(?:true|false)$/i.test(bare)) return /^true$/i.test(bare) ? '1' : '0';
    const hex = /^(?:_\w+?)?0x([\da-f]*)$/i.exec(bare)?.[1];
    if (hex !== undefined) return this.#fromHex(hex);
    if (NUMBER.test(bare)) return bare;
    throw this.#unread();
  }

  #fromHex(digits: string): string {
    if (digits.length % 2 !== 0 || !/^[\da-f]*$/i.test(digits)) throw this.#unread();
    return Buffer.from(digits, 'hex').toString('utf8');
  }

  #endRow(): void {
    if (this.#values.length !== this.#columns.length) throw this.#unread();
    this.#reader.row(this.#table, this.#columns, this.#values);
    this.#next = this.#afterRow;
  }

  #takesName(kind: TokenKind, text: string): boolean {
    if (kind === 'sign') return false;
    if (text === '.' && kind === 'word') {
      this.#table = '';
      return true;
    }
    if (this.#table !== '') return false;
    this.#table = kind === 'word' ? text.slice(text.lastIndexOf('.') + 1) : text;
    return true;
  }

  #addColumn(name: string): void {
    if (this.#columns.push(name) > MAX_COLUMNS) throw this.#unread();
  }

  #pass(kind: TokenKind, text: string): void {
    this.#next = this.#skip;
    this.#skip(kind, text);
  }

  #unread(): Problem {
    return new Problem(`SQL 转储里有一行看不懂的数据（表 ${this.#table}），没有导入任何内容`);
  }
}
