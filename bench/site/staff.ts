import type { Facts, Put } from './facts.ts';
import { userId, type Shape } from './people.ts';
import { idAt } from './random.ts';

const REPORTED_ONE_IN = 200;
const OPEN_ONE_IN = 5;
const NOTIFIED_ONE_IN = 50;
const REVISED_ONE_IN = 100;
const AUDITED_ONE_IN = 100;
const CHANGED_ONE_IN = 1_000;

/** Puts decisions of staff on an article, reports, notices that were sent, and unpublished changes. */
export function moderationRows(facts: Facts, { users, to }: Shape, put: Put): void {
  const { index, id, state, author, time, dice } = facts;
  const numbered = idAt(time, index);
  if (state === 'held' || state === 'hidden' || state === 'deleted')
    put('withheld_items', {
      kind: 'article',
      id,
      state,
      note: state === 'held' ? '' : '不合适',
      reasons: '["word"]',
      create_time: time,
      hidden_by_ban: 0,
      words: '[]',
    });
  if (state === 'hidden' || state === 'deleted')
    put('moderation_decisions', {
      id: numbered,
      kind: 'article',
      item_id: id,
      state,
      reasons: '["word"]',
      note: '不合适',
      actor_id: userId(0),
      create_time: time,
      title: '',
      content: '',
    });
  if (state === 'trash' || state === 'deleted')
    put('trash', { article_id: id, author_id: userId(author), status: 'normal', trash_time: to });
  if (state !== 'public') return;
  if (dice.isOne(REPORTED_ONE_IN)) {
    const isOpen = dice.isOne(OPEN_ONE_IN);
    put('reports', {
      id: numbered,
      subject_kind: 'article',
      subject_id: id,
      reporter_id: userId(dice.below(users)),
      reason: 'spam',
      note: '',
      create_time: time,
      decision: isOpen ? '' : 'dismissed',
      decided_time: isOpen ? 0 : time,
    });
  }
  if (dice.isOne(NOTIFIED_ONE_IN))
    put('outbox', {
      id: numbered,
      delivery: numbered,
      lane: 'mail',
      target: userId(author),
      unique_key: null,
      payload: '',
      create_time: time,
      due_time: time,
      give_up_time: time,
      tries: 1,
      state: 'sent',
      settle_time: to,
      problem: '',
    });
  if (dice.isOne(AUDITED_ONE_IN))
    put('audit_log', {
      id: numbered,
      create_time: time,
      actor_id: userId(0),
      actor_name: '作者0',
      action: 'article.hide',
      subject_kind: 'article',
      subject_id: id,
      before: '{}',
      after: '{}',
    });
  if (dice.isOne(CHANGED_ONE_IN))
    put('pending_changes', {
      kind: 'article',
      id,
      author_id: userId(author),
      state: 'held',
      reasons: '["changed"]',
      note: '',
      fields: '{"title":"改过的标题","content":"改过的正文。"}',
      create_time: time,
    });
  if (dice.isOne(REVISED_ONE_IN))
    put('article_revisions', {
      article_id: id,
      title: '改过的标题',
      content: '改到一半的正文。',
      tags: '[]',
      secret: 0,
      base_time: time,
      update_time: time,
      saved_by: '',
    });
}
