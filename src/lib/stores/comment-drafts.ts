import { atom, type ReadableAtom } from 'nanostores';
import { foldName } from '../contract/names.ts';
import {
  attempt,
  openDraft,
  storagesOfBrowser,
  toTarget,
  type CommentDraft,
  type DraftStorages,
  type ReplyTarget,
} from './comment-draft.ts';

/** What somebody writes under an article: a comment, and an answer to each comment there. */
export interface CommentDrafts {
  readonly comment: CommentDraft;
  /** The comment whose box is open. Only one is. */
  readonly $answered: ReadableAtom<ReplyTarget | null>;
  /** Opens the box of a comment and closes any other; null closes it. What was typed is kept. */
  answer(target: ReplyTarget | null): void;
  /** The answer to a comment. */
  answerTo(target: ReplyTarget): CommentDraft;
  /** What a comment of one's own is to say instead; begins with what it says. */
  changeOf(comment: { _id: string; content: string }): CommentDraft;
}

const KEY = 'moye-comment';
const opened = new Map<string, CommentDrafts>();

/**
 * What `username` is writing under an article: after a reload what that tab held, else what was written
 * last. Each user has drafts of their own: nobody reads another's in a shared browser.
 */
export function draftsOf(articleId: string, username: string): CommentDrafts {
  const key = `${KEY}:${articleId}:${foldName(username)}`;
  let drafts = opened.get(key);
  if (!drafts) opened.set(key, (drafts = openDrafts(key, storagesOfBrowser)));
  return drafts;
}

/** Opens the drafts kept under `key`; `draftsOf` for callers that bring storages of their own. */
export function openDrafts(key: string, storages: DraftStorages): CommentDrafts {
  const answers = new Map<string, CommentDraft>();
  const answeredKey = `${key}:answered`;
  const places = [storages.tab, storages.browser];

  function answerTo(target: ReplyTarget): CommentDraft {
    let draft = answers.get(target.id);
    if (!draft) answers.set(target.id, (draft = openDraft(`${key}:${target.id}`, storages, target)));
    return draft;
  }

  /** The box that was open, if something had been typed in it. */
  function lastAnswered(): ReplyTarget | null {
    const targets = places.map((place) => readTarget(place, answeredKey));
    return targets.find((target) => target && answerTo(target).$draft.get().text !== '') ?? null;
  }

  moveFormerAnswer(key, answeredKey, places);
  const $answered = atom(lastAnswered());
  return {
    comment: openDraft(key, storages),
    $answered,
    answer(target) {
      const former = $answered.get();
      $answered.set(target);
      for (const place of places) {
        if (target) attempt(() => place().setItem(answeredKey, JSON.stringify(target)));
        // Another tab may have another box open.
        else if (readTarget(place, answeredKey)?.id === former?.id)
          attempt(() => place().removeItem(answeredKey));
      }
    },
    answerTo,
    changeOf({ _id, content }) {
      const draft = openDraft(`${key}:${_id}:change`, storages);
      if (draft.$draft.get().text === '') draft.write(content);
      return draft;
    },
  };
}

/** Before answers had boxes of their own, the one box's draft could be an answer. It becomes that one's. */
function moveFormerAnswer(key: string, answeredKey: string, places: readonly (() => Storage)[]): void {
  for (const place of places)
    attempt(() => {
      const value = place().getItem(key);
      const target = value === null ? null : toTarget((JSON.parse(value) as { reply?: ReplyTarget }).reply);
      if (value === null || !target) return;
      place().setItem(`${key}:${target.id}`, value);
      place().setItem(answeredKey, JSON.stringify(target));
      place().removeItem(key);
    });
}

function readTarget(place: () => Storage, key: string): ReplyTarget | null {
  let target: ReplyTarget | null = null;
  attempt(() => (target = toTarget(JSON.parse(place().getItem(key) ?? 'null') as ReplyTarget | null)));
  return target;
}
