import { BOUNDS, countCharacters } from '../../../contract/rules/bounds.ts';
import { isRefusal, refusal, type RefusalCode } from '../../../contract/rules/errors.ts';
import { PICTURE_URL } from '../../../contract/rules/pictures.ts';
import { MINUTE_MS } from '../../../contract/rules/units.ts';
import { mayHaveData } from '../../../markdown-file/data-pictures.ts';
import { applyEdits, unedited, type Edit } from '../../../markdown-file/edits.ts';
import { createReusedThread } from '../../jobs/reused-thread.ts';
import type { Spender } from '../../quotas/quota-service.ts';
import type { AppParts } from '../../services.ts';
import type { Embedded, EmbeddedPicture } from './embedded-text.ts';
import type { EmbeddedReply, EmbeddedRequest } from './embedded-worker.ts';

const SCRIPT = new URL('./embedded-worker.ts', import.meta.url);
const LOAD_TIMEOUT_MS = 30_000;
/** Processor time; 24 MB of pictures take half a second. */
const READ_TIMEOUT_MS = 8_000;
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };
const QUEUE = { waiting: 64, waitingEach: 16 };
/** New pictures per save, which waits for them; saving again continues. */
const MAX_NEW_PICTURES = 100;

/** Refusals of one picture. */
const UNUSABLE: readonly RefusalCode[] = ['IMAGE_UNREADABLE', 'IMAGE_MISSING', 'BODY_TOO_LARGE'];
/** Refusals that every further picture would meet. */
const USED_UP: readonly RefusalCode[] = ['QUOTA_REACHED', 'ACCOUNT_FULL', 'STORAGE_FULL'];

const TOO_COMPLEX = '正文结构过于复杂，内嵌的图片没有存成文件';
const NO_SCOPE = '访问令牌没有权限 pictures:write';
const MORE = `一次保存最多存 ${MAX_NEW_PICTURES} 张，再保存一次会接着存`;

export type EmbeddedService = ReturnType<typeof createEmbeddedService>;

/** Text with its pictures stored. */
interface Taken {
  content: string;
  /** Chinese sentences about pictures that were not stored, or changed. */
  notes: string[];
  /** Whether saving the same text again later would store more of its pictures. */
  isUnfinished: boolean;
}

interface Options {
  /** Whether the caller may upload pictures. */
  mayUpload?: boolean;
  /** Stores nothing; addresses of new pictures do not work. */
  isDryRun?: boolean;
}

type Outcome = { address: string; losses: readonly string[] } | { problem: string };

/**
 * Stores the pictures that a text contains as `data:` addresses (decision 0111), each once per owner. Calls
 * that write an article's text use it before they check its length.
 */
export function createEmbeddedService({ imports }: Pick<AppParts, 'imports'>) {
  const thread = createReusedThread<EmbeddedRequest, EmbeddedReply>(SCRIPT, {
    idleMs: MINUTE_MS,
    queue: QUEUE,
    startMs: LOAD_TIMEOUT_MS,
    answerMs: READ_TIMEOUT_MS,
    resourceLimits: HEAP,
    timedOut: () => refusal('CONTENT_TOO_COMPLEX'),
  });

  async function read(content: string, owner: Spender): Promise<EmbeddedReply> {
    try {
      return await thread.ask({ content }, owner.id);
    } catch (error) {
      const isOut = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
      if (isOut || isRefusal(error, 'CONTENT_TOO_COMPLEX')) return { isTooComplex: true };
      throw error;
    }
  }

  function createStore(owner: Spender, { mayUpload = true, isDryRun = false }: Options) {
    let stopped = mayUpload ? null : NO_SCOPE;
    let count = 0;
    const state = { isUnfinished: false };
    const stop = (problem: string, mayGoOn: boolean): Outcome => {
      stopped = problem;
      state.isUnfinished ||= mayGoOn;
      return { problem };
    };
    const at = (name: string, losses: readonly string[] = []) => ({ address: PICTURE_URL + name, losses });
    async function store(picture: EmbeddedPicture): Promise<Outcome> {
      if ('problem' in picture) return picture;
      const { hash } = picture;
      const former = await imports.findImage(owner.id, hash);
      if (former !== null) return at(former);
      if (stopped !== null) return { problem: stopped };
      if (isDryRun) return at(`${hash.slice(0, 32)}-1x1.webp`);
      if (count === MAX_NEW_PICTURES) return stop(MORE, true);
      try {
        const { name, losses } = await imports.saveImage(owner, picture);
        count++;
        return at(name, losses);
      } catch (error) {
        if (isRefusal(error) && UNUSABLE.includes(error.code)) return { problem: error.message };
        if (isRefusal(error) && USED_UP.includes(error.code))
          return stop(error.message, error.code === 'QUOTA_REACHED');
        throw error;
      }
    }
    return { store, state };
  }

  return {
    /**
     * Returns the text with the addresses of its pictures. One that cannot be stored stays as it was, or
     * becomes a note if the text would be too long. Refuses with UNAVAILABLE.
     */
    async take(owner: Spender, content: string, options: Options = {}): Promise<Taken> {
      const unchanged = { content, notes: [], isUnfinished: false };
      if (!mayHaveData(content)) return unchanged;
      const reply = await read(content, owner);
      if ('isTooComplex' in reply) return { ...unchanged, notes: [TOO_COMPLEX] };
      const { store, state } = createStore(owner, options);
      const results: Result[] = [];
      for (const embedded of reply.found ?? [])
        results.push({ ...embedded, outcome: await store(embedded.picture) });
      return { ...write(content, results), isUnfinished: state.isUnfinished };
    },
    close: thread.close,
  };
}

type Result = Pick<Embedded, 'addresses' | 'notes'> & { outcome: Outcome };

function write(content: string, results: readonly Result[]): Pick<Taken, 'content' | 'notes'> {
  const edits: Edit[] = [];
  const replacing: Edit[] = [];
  const losses = new Set<string>();
  const problems = new Map<string, number>();
  for (const { addresses, notes, outcome } of results) {
    if ('problem' in outcome) {
      replacing.push(...notes);
      problems.set(outcome.problem, (problems.get(outcome.problem) ?? 0) + 1);
      continue;
    }
    edits.push(...addresses.map((each) => ({ ...each, by: outcome.address })));
    for (const loss of outcome.losses) losses.add(`内嵌的图片：${loss}`);
  }
  const text = applyEdits(unedited(content), edits).text;
  const isKept = replacing.length === 0 || countCharacters(text) <= BOUNDS.content[1];
  const left = isKept ? '保留原样' : '文中留下说明';
  return {
    content: isKept ? text : applyEdits(unedited(content), [...edits, ...replacing]).text,
    notes: [
      ...[...problems].map(([why, count]) => `${count} 张内嵌的图片没有存成文件，${left}：${why}`),
      ...losses,
    ],
  };
}
