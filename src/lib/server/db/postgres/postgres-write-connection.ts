import type { DatabaseConnection, QueryResult } from 'kysely';
import { neverStreams, resultOf } from './postgres-dialect.ts';
import {
  isUnwritable,
  LostConnection,
  STATEMENT_TIMEOUT_MS,
  type Answer,
  type Session,
} from './postgres-pool.ts';

/** Lock of each write transaction ("moye" in ASCII): services assume a single writer. */
const WRITE_LOCK = 0x6d6f7965;
/** Time that the server may take to report an aborted statement. */
const RESPONSE_MARGIN_MS = 500;

const KEEP = 'release savepoint write; savepoint write';
const UNDO = 'rollback to savepoint write';

interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/** One transaction of several writes, each under a savepoint. The server answers statements in order. */
export class WriteConnection implements DatabaseConnection {
  readonly #session: Session;
  /** Ends the former write's savepoint; sent ahead of the next write, or with the commit. */
  #between = '';
  #latest: Promise<unknown> = Promise.resolve();
  /** Number of the current write. */
  #number = 0;
  /** Time by which statements must be answered. */
  deadline = 0;
  /** Error of the first failed statement of the current write: all later ones fail because of it. */
  fault: Error | undefined;
  /** Reason why the transaction cannot continue, whatever the current write made of it. */
  ended: Error | undefined;
  isCommitting = false;
  streamQuery = neverStreams;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Begins, and waits for the lock of all writers until `deadline` unless this one writes aside. */
  async open(deadline: number, isAside: boolean): Promise<void> {
    this.deadline = deadline;
    // The server times out slightly earlier and reports it, which distinguishes a wait from a silent server.
    const patience = this.#left() - RESPONSE_MARGIN_MS;
    const longer =
      patience > STATEMENT_TIMEOUT_MS
        ? `set local statement_timeout = ${patience}; set local lock_timeout = ${patience};`
        : '';
    const lock = isAside ? '' : `select pg_advisory_xact_lock(${WRITE_LOCK});`;
    await this.#run(`begin; ${longer} ${lock} savepoint write`);
  }

  /** Begins a write; the former one stays, unless it was undone. Does not wait for the answers to it. */
  begin(): void {
    this.#number += 1;
    if (this.#between !== '') this.send({ sql: this.#between, parameters: [] });
    this.#between = KEEP;
  }

  async executeQuery<R>({ sql, parameters }: Statement): Promise<QueryResult<R>> {
    return resultOf(await this.#run(sql, parameters));
  }

  async query(text: string, values: readonly unknown[]): Promise<unknown[]> {
    return (await this.#run(text, values)).rows;
  }

  send({ sql, parameters }: Statement): void {
    this.#run(sql, parameters).catch(() => {});
  }

  /** Rolls the current write back. */
  async undo(): Promise<void> {
    await this.#latest;
    this.fault = undefined;
    this.#between = UNDO;
  }

  /** Commits, and sends `notices` in the same message; each statement ends with a semicolon. */
  async commit(notices: string): Promise<void> {
    this.isCommitting = true;
    const undo = this.#between === UNDO ? `${UNDO};` : '';
    const { command } = await this.#run(`${undo}${notices}commit`);
    this.isCommitting = false;
    if (this.fault) throw this.fault;
    if (command !== 'COMMIT') throw new Error('a statement failed, but its transaction continued');
  }

  /** If ROLLBACK fails, drops the connection. */
  async rollback(): Promise<void> {
    await this.#session.run('rollback', [], this.#left()).catch(() => this.#session.drop());
  }

  drop(reason: Error): void {
    this.ended ??= reason;
    this.#session.drop();
  }

  release(): void {
    this.#session.release();
  }

  /** After a failed statement all others in the transaction fail: throws the error of the first. */
  async #run(text: string, values: readonly unknown[] = []): Promise<Answer> {
    const number = this.#number;
    const answer = this.#session.run(text, values, this.#left());
    this.#latest = answer.catch(() => {});
    try {
      return await answer;
    } catch (thrown) {
      const error = thrown as Error;
      // The failed write took its statements for successful and is over.
      if (number < this.#number) this.ended ??= error;
      this.fault ??= error;
      if (error instanceof LostConnection) this.ended ??= error;
      // The next connection may reach the current primary.
      if (isUnwritable(error)) this.drop(error);
      throw this.fault;
    }
  }

  #left(): number {
    return Math.max(1, Math.floor(this.deadline - performance.now()));
  }
}
