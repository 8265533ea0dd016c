import type { APIRoute } from 'astro';
import { documentOf, noSuchDocument } from '../components/documents/documents.ts';
import { toOpml } from '../components/feeds/friend-documents.ts';
import { pageTags } from '../lib/shared/pages/page-tags.ts';

export const GET: APIRoute = async ({ locals: { blog, site, setCacheTags } }) => {
  const friends = await blog.listFriends();
  if (!friends) return noSuchDocument();
  setCacheTags([pageTags.friends]);
  return documentOf(toOpml(friends, site), 'text/x-opml', {
    'Content-Disposition': 'attachment; filename="friends.opml"',
  });
};
