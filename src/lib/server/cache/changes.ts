import { pageTags } from '../../shared/pages/page-tags.ts';
import type { BlogEvent } from '../db/events.ts';

/** Returns the tags (pages/page-tags.ts) of every page that `event` changes. */
export function changedTags(event: BlogEvent): string[] {
  switch (event.type) {
    case 'article-changed': {
      const { articleId, authorId, change } = event;
      if (!change) return [];
      return [
        pageTags.article(articleId),
        pageTags.search,
        ...(change.changesCard ? [pageTags.card(articleId)] : []),
        ...(change.movesInLists ? [pageTags.lists] : []),
        ...(change.movesInLists || change.changesPinned ? [pageTags.author(authorId)] : []),
        ...change.series.map(pageTags.series),
        ...(change.tags.length > 0 ? [pageTags.tags, ...change.tags.map(pageTags.tag)] : []),
        ...change.neighbours.map(pageTags.article),
      ];
    }
    case 'comments-changed':
      return [pageTags.comments(event.articleId), pageTags.said(event.authorId), pageTags.activity];
    case 'tag-changed':
      return [pageTags.tags, pageTags.tag(event.name)];
    case 'series-changed':
      return [pageTags.series(event.seriesId), pageTags.author(event.authorId)];
    case 'user-changed':
      return [
        pageTags.profile(event.username),
        ...(event.what === 'avatar' ? [pageTags.avatar(event.username)] : []),
      ];
    case 'profile-hidden':
      return [
        pageTags.profile(event.username),
        pageTags.avatar(event.username),
        pageTags.author(event.userId),
      ];
    case 'related-changed':
    case 'former-paths-changed':
      return event.articleIds.map(pageTags.article);
    case 'pages-changed':
      return [pageTags.pages, pageTags.search, ...event.articleIds.map(pageTags.article)];
    case 'picks-changed':
      return [pageTags.picks];
    case 'friends-changed':
      return [pageTags.friends];
    case 'index-rebuilt':
      return [pageTags.search];
    // Rare, and may affect any page.
    case 'options-changed':
    case 'anything':
      return [pageTags.site];
    // No cached page shows these.
    case 'comments-read':
    case 'notifications-changed':
    case 'schedule-changed':
    case 'words-changed':
    case 'held-changed':
    case 'reports-changed':
    case 'signed-out':
    case 'webhooks-changed':
      return [];
  }
}
