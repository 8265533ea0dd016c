import { atom, type ReadableAtom } from 'nanostores';
import { CallError, isCallError } from '../client/call-error.ts';
import { hash } from '../client/hash.ts';
import { BOUNDS, countCharacters } from '../contract/bounds.ts';

/** The comment a new one answers. */
export interface ReplyTarget {
  id: string;
  user: string;
  content: string;
}

/** What somebody is writing under an article. `problem`: why it was not sent, '' for nothing. */
export interface DraftState {
  text: string;
  isSending: boolean;
  problem: string;
}

/** Fields of the call `commentCreate`, without the article. */
export interface CommentFields {
  content: string;
  reply_user: string;
  reply_content: string;
  reply_id?: string;
  request_id: string;
}

export interface CommentDraft {
  readonly $draft: ReadableAtom<DraftState>;
  /** The comment it answers, or null. */
  readonly reply: ReplyTarget | null;
  write(text: string): void;
  /**
   * Sends what is written by `create`; where that throws, all stays. The same text keeps its request id until
   * the server has answered: trying again makes no second comment.
   * @returns what `create` answered, after which the draft is empty; null when nothing was sent, or one is
   * under way
   */
  send<T>(create: (fields: CommentFields) => Promise<T>): Promise<T | null>;
  /** Whether sending led the writer to the sign-in page, and this is their return. Asking forgets it. */
  wasInterrupted(): boolean;
}

/** Where drafts are kept: `tab` survives a reload, `browser` closing the tab. Both may refuse. */
export interface DraftStorages {
  tab(): Storage;
  browser(): Storage;
}

interface Kept {
  text: string;
  /** Random part of the request ids of this comment. */
  seed: string;
  isInterrupted: boolean;
}

export const storagesOfBrowser: DraftStorages = { tab: () => sessionStorage, browser: () => localStorage };

/** Opens the draft kept as `key`, an answer to `reply` if that is a comment. See comment-drafts.ts. */
export function openDraft(
  key: string,
  storages: DraftStorages,
  reply: ReplyTarget | null = null,
): CommentDraft {
  const places = [storages.tab, storages.browser];
  const kept = places.map((place) => readKept(place, key)).find((found) => found !== null);
  let { seed, isInterrupted } = kept ?? { seed: newSeed(), isInterrupted: false };
  const $draft = atom<DraftState>({
    text: kept?.text ?? '',
    isSending: false,
    problem: '',
  });

  function change(changes: Partial<DraftState>): void {
    $draft.set({ ...$draft.get(), ...changes });
  }

  function keep(): void {
    const { text } = $draft.get();
    const value = JSON.stringify({ text, seed, isInterrupted } satisfies Kept);
    for (const place of places)
      attempt(() => (text === '' ? place().removeItem(key) : place().setItem(key, value)));
  }

  function clear(): void {
    const written = $draft.get().text;
    change({ text: '' });
    seed = newSeed();
    attempt(() => storages.tab().removeItem(key));
    // Another tab may hold another comment to this article.
    if (readKept(storages.browser, key)?.text === written) attempt(() => storages.browser().removeItem(key));
  }

  return {
    $draft,
    reply,
    write(text) {
      change({ text, problem: '' });
      keep();
    },
    async send(create) {
      const { text, isSending } = $draft.get();
      if (isSending) return null;
      const problem = problemOf(text);
      change({ problem });
      if (problem !== '') return null;
      change({ isSending: true });
      try {
        const answer = await create(toFields(text.trim(), reply, seed));
        clear();
        return answer;
      } catch (error) {
        isInterrupted = isCallError(error, 'signed-out');
        keep();
        // A refusal is told by the call itself.
        if (!isCallError(error, 'refused')) change({ problem: sentenceOf(error) });
        return null;
      } finally {
        change({ isSending: false });
      }
    },
    wasInterrupted() {
      const was = isInterrupted;
      isInterrupted = false;
      if (was) keep();
      return was;
    },
  };
}

/** How many characters a comment has left, negative when too long. Spaces at its ends are not sent. */
export const charactersLeft = (text: string): number => BOUNDS.comment[1] - countCharacters(text.trim());

function problemOf(text: string): string {
  if (text.trim() === '') return '请填写评论';
  return charactersLeft(text) < 0 ? `评论不能超过 ${BOUNDS.comment[1]} 个字符` : '';
}

const sentenceOf = (error: unknown) =>
  error instanceof CallError ? error.message : '没有发出去，请再试一次';

function toFields(content: string, reply: ReplyTarget | null, seed: string): CommentFields {
  const [reply_user, reply_content] = [reply?.user ?? '', reply?.content ?? ''];
  const request_id = `${seed}-${hash(JSON.stringify([content, reply_user, reply_content]))}`;
  // Servers that do not know the id find the comment by its words.
  return { content, reply_user, reply_content, ...(reply ? { reply_id: reply.id } : {}), request_id };
}

function newSeed(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('');
}

/** What is kept as `key`, or null where that is nothing, or nothing of ours. */
function readKept(place: () => Storage, key: string): Kept | null {
  let value: string | null = null;
  attempt(() => (value = place().getItem(key)));
  if (value === null) return null;
  try {
    const { text, seed, isInterrupted } = JSON.parse(value) as Partial<Kept>;
    if (typeof text !== 'string' || typeof seed !== 'string' || !/^\w{1,30}$/.test(seed)) return null;
    return { text, seed, isInterrupted: isInterrupted === true };
  } catch {
    return null;
  }
}

/** A target as it was kept, or null for anything else. */
export function toTarget(value: Partial<ReplyTarget> | null | undefined): ReplyTarget | null {
  const { id, user, content } = value ?? {};
  const isWhole = typeof id === 'string' && typeof user === 'string' && typeof content === 'string';
  return isWhole ? { id, user, content } : null;
}

/** A browser may forbid storage or have no room in it; then what is written lives as long as the page. */
export function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // Nothing to be done, and nothing the writer could do.
  }
}
