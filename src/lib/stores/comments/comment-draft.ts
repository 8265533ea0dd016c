import { atom, type ReadableAtom } from 'nanostores';
import { parseJson } from '../../client/answer.ts';
import { CallError, isCallError } from '../../client/call-error.ts';
import { hash } from '../../client/human-check/hash.ts';
import { inTab, onDevice, readStored, store } from '../../client/stored.ts';
import type { CallInput } from '../../contract/calls/calls.ts';
import { BOUNDS, countCharacters } from '../../contract/rules/bounds.ts';

export interface ReplyTarget {
  id: string;
  user: string;
  content: string;
}

interface DraftState {
  text: string;
  isSending: boolean;
  problem: string;
}

export type CommentFields = Omit<CallInput<'commentCreate'>, 'page_id' | 'check'>;

export interface CommentDraft {
  readonly $draft: ReadableAtom<DraftState>;
  readonly reply: ReplyTarget | null;
  write(text: string): void;
  /**
   * Sends the text with `create`. If that throws, the text stays. An unchanged text keeps its request id
   * until the server has responded, so a retry creates no second comment.
   * @returns the result of `create`, after which the draft is empty; null when nothing was sent or a send is
   * under way
   */
  send<T>(create: (fields: CommentFields) => Promise<T>): Promise<T | null>;
  /** Returns whether sending was interrupted by a redirect to the sign-in page, and resets the flag. */
  wasInterrupted(): boolean;
}

/**
 * Storages of drafts: `tab` survives a reload, `browser` also closing the tab. Both may throw; drafts then
 * live until the page is left.
 */
export interface DraftStorages {
  tab(): Storage;
  browser(): Storage;
}

interface StoredDraft {
  text: string;
  seed: string;
  isInterrupted: boolean;
}

export const storagesOfBrowser: DraftStorages = { tab: inTab, browser: onDevice };

export function openDraft(
  key: string,
  storages: DraftStorages,
  reply: ReplyTarget | null = null,
): CommentDraft {
  const places = [storages.tab, storages.browser];
  const stored = places.map((place) => readDraft(place, key)).find((found) => found !== null);
  let { seed, isInterrupted } = stored ?? { seed: newSeed(), isInterrupted: false };
  const $draft = atom<DraftState>({
    text: stored?.text ?? '',
    isSending: false,
    problem: '',
  });

  function change(changes: Partial<DraftState>): void {
    $draft.set({ ...$draft.get(), ...changes });
  }

  function keep(): void {
    const { text } = $draft.get();
    const value = JSON.stringify({ text, seed, isInterrupted } satisfies StoredDraft);
    for (const place of places) store(place, key, text === '' ? null : value);
  }

  function clear(): void {
    const written = $draft.get().text;
    change({ text: '' });
    seed = newSeed();
    store(storages.tab, key, null);
    // Another tab may have stored another comment on this article.
    if (readDraft(storages.browser, key)?.text === written) store(storages.browser, key, null);
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
  // Servers that do not know `reply_id` find the comment by its text.
  return { content, reply_user, reply_content, ...(reply ? { reply_id: reply.id } : {}), request_id };
}

function newSeed(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('');
}

function readDraft(place: () => Storage, key: string): StoredDraft | null {
  const stored = parseJson(readStored(place, key) ?? '') as Partial<StoredDraft> | null;
  const { text, seed, isInterrupted } = stored ?? {};
  if (typeof text !== 'string' || typeof seed !== 'string' || !/^\w{1,30}$/.test(seed)) return null;
  return { text, seed, isInterrupted: isInterrupted === true };
}

export function toTarget(value: Partial<ReplyTarget> | null | undefined): ReplyTarget | null {
  const { id, user, content } = value ?? {};
  const isWhole = typeof id === 'string' && typeof user === 'string' && typeof content === 'string';
  return isWhole ? { id, user, content } : null;
}
