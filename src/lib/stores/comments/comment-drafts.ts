import { atom } from 'nanostores';
import { parseJson } from '../../client/answer.ts';
import { COMMENT_DRAFTS, readStored, store } from '../../client/stored.ts';
import { foldName } from '../../contract/rules/names.ts';
import {
  openDraft,
  storagesOfBrowser,
  toTarget,
  type CommentDraft,
  type DraftStorages,
  type ReplyTarget,
} from './comment-draft.ts';

export type CommentDrafts = ReturnType<typeof openDrafts>;

const opened = new Map<string, CommentDrafts>();

/**
 * Returns the drafts of `username` under an article: those of this tab, otherwise the last ones written. Each
 * user has separate drafts, so users of a shared browser do not see each other's.
 */
export function draftsOf(articleId: string, username: string): CommentDrafts {
  const key = `${COMMENT_DRAFTS}:${articleId}:${foldName(username)}`;
  let drafts = opened.get(key);
  if (!drafts) opened.set(key, (drafts = openDrafts(key, storagesOfBrowser)));
  return drafts;
}

export function openDrafts(key: string, storages: DraftStorages) {
  const answers = new Map<string, CommentDraft>();
  const answeredKey = `${key}:answered`;
  const places = [storages.tab, storages.browser];

  function answerTo(target: ReplyTarget): CommentDraft {
    let draft = answers.get(target.id);
    if (!draft) answers.set(target.id, (draft = openDraft(`${key}:${target.id}`, storages, target)));
    return draft;
  }

  function lastAnswered(): ReplyTarget | null {
    const targets = places.map((place) => readTarget(place, answeredKey));
    return targets.find((target) => target && answerTo(target).$draft.get().text !== '') ?? null;
  }

  moveFormerAnswer(key, answeredKey, places);
  const $answered = atom(lastAnswered());
  return {
    comment: openDraft(key, storages),
    $answered,
    answer(target: ReplyTarget | null): void {
      const former = $answered.get();
      $answered.set(target);
      for (const place of places) {
        if (target) store(place, answeredKey, JSON.stringify(target));
        // Another tab may have another box open.
        else if (readTarget(place, answeredKey)?.id === former?.id) store(place, answeredKey, null);
      }
    },
    answerTo,
    changeOf({ _id, content }: { _id: string; content: string }): CommentDraft {
      const draft = openDraft(`${key}:${_id}:change`, storages);
      if (draft.$draft.get().text === '') draft.write(content);
      return draft;
    },
  };
}

/** Migrates drafts from when there was one box, whose draft could be a reply. */
function moveFormerAnswer(key: string, answeredKey: string, places: readonly (() => Storage)[]): void {
  for (const place of places) {
    const value = readStored(place, key);
    const target = toTarget((parseJson(value ?? '') as { reply?: ReplyTarget } | null)?.reply);
    if (!target || !store(place, `${key}:${target.id}`, value)) continue;
    if (store(place, answeredKey, JSON.stringify(target))) store(place, key, null);
  }
}

const readTarget = (place: () => Storage, key: string): ReplyTarget | null =>
  toTarget(parseJson(readStored(place, key) ?? '') as ReplyTarget | null);
