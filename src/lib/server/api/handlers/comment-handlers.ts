import { pageTags } from '../../../shared/pages/page-tags.ts';
import { BOUNDS, PAGE_SIZE, type CommentOrder } from '../../../contract/rules/bounds.ts';
import type { CallInput, calls } from '../../../contract/calls/calls.ts';
import { Comment } from '../../../contract/entities.ts';
import { addressKey } from '../../http/address.ts';
import type { Reader } from '../../db/visibility.ts';
import { chooseEncoding } from '../../cache/choose-encoding.ts';
import { encode, toCachedPage, type Encoding, type CachedPage } from '../../cache/cached-page.ts';
import type { Rendering } from '../../cache/page-cache.ts';
import type { RenderedAnswer } from '../../cache/renders.ts';
import type { CommentService } from '../../comments/comment-service.ts';
import { isParty, type ListedComment, type Parties } from '../../comments/comment-views.ts';
import type { PageRequest } from '../../shared/paging.ts';
import { createQueue } from '../../jobs/queue.ts';
import { answerWith, type CallRequest, type Handlers } from '../handler.ts';
import type { Services } from '../../services.ts';
import { JSON_HEADERS, toResponse, uncached, type CachedAnswers } from '../cached-answers.ts';

export const commentHandlers = ({ comments }: Services, cached: CachedAnswers) =>
  ({
    articleComments: { respond: createCommentList(comments, cached) },
    commentCreate: ({ input, viewer }) => comments.create(input, viewer),
    userComments: ({ input, viewer }) => comments.ofUser(input.type, input, viewer),
    readComments: answerWith('已标记为已读', ({ input, viewer }) => comments.markRead(input.ids, viewer)),
    unreadNum: ({ viewer }) => comments.countUnread(viewer),
    commentEdit: ({ input, viewer }) => comments.edit(input, viewer),
    commentDelete: answerWith('评论已删除', ({ input, viewer }) => comments.remove(input.id, viewer)),
  }) satisfies Partial<Handlers>;

type Input = CallInput<'articleComments'>;

/** Concurrent and queued responses, in total and per client: each takes 10 ms of the thread and some MB. */
const QUEUE_LIMITS = { running: 2, runningEach: 1, waiting: 256, waitingEach: 8 };
const PARTIES_BYTES = 300;
const OPENING = '{"code":"OK","data":[';
const CLOSING = ']}';
const IS_READ = '"is_read":';

interface Listing {
  bytes: Buffer<ArrayBuffer>;
  parties: readonly Parties[];
  marks: readonly number[];
}

/**
 * Creates the handler of the comments under an article, which responds with bytes. A visitor's response is
 * cached like a page and shared by all viewers without read marks; for other viewers, marks are written into
 * a copy. Comments that only the article's author may see are never cached. The handler refuses with
 * UNAVAILABLE while the queue is full.
 */
function createCommentList(comments: CommentService, answers: CachedAnswers) {
  const queue = createQueue(QUEUE_LIMITS);
  const listings = new WeakMap<CachedPage, Listing>();

  async function list(input: Input, viewer: Reader | null) {
    const request = pageOf(input);
    if (request) {
      const found = await comments.pageUnder(input.page_id, request, viewer);
      return { listing: toListing(found.comments), isClamped: found.isClamped };
    }
    const listing = openListing(BOUNDS.commentsBytes);
    newest: for await (const batch of comments.newestUnder(input.page_id, viewer)) {
      for (const comment of batch) if (!listing.add(comment)) break newest;
    }
    return { listing: listing.close(), isClamped: false };
  }

  async function render(input: Input, encoding: Encoding): Promise<Rendering<RenderedAnswer>> {
    const { listing, isClamped } = await list(input, null);
    if (isClamped || listing.parties.length === 0) return uncached(listing.bytes);
    const tags = [pageTags.site, pageTags.article(input.page_id), pageTags.comments(input.page_id)];
    const cached: CachedPage = {
      ...toCachedPage(listing.bytes, JSON_HEADERS, tags),
      extraBytes: listing.bytes.length + listing.parties.length * PARTIES_BYTES,
      // Compressing a megabyte at the highest level takes two seconds of a core.
      isSmall: true,
    };
    listings.set(cached, listing);
    await encode(cached, encoding);
    return { cached };
  }

  return async (
    { input, viewer, from }: CallRequest<typeof calls.articleComments>,
    acceptEncoding: string | undefined,
  ): Promise<Response> => {
    const owner = viewer ? viewer.id : addressKey(from.address);
    const withheld = viewer && isNewest(input) ? await comments.withheldOf(viewer, input.page_id) : [];
    const encoding = chooseEncoding(acceptEncoding);
    const key = keyOf(input);
    const made = await answers.load(key, () => queue.run(() => render(input, encoding), owner));
    const listing = made.cached ? listings.get(made.cached) : undefined;
    const concerns = ({ parties }: Listing) => parties.some((each) => viewer && isParty(each, viewer));
    if (made.cached && listing && withheld.length === 0 && !concerns(listing))
      return toResponse(await answers.encoded(made.cached, encoding, key), encoding);
    if (!viewer) return toResponse(made.cached ? await encode(made.cached, 'identity') : made.answer);
    return queue.run(async () => {
      const own = listing ?? (await list(input, viewer)).listing;
      const bytes = withOwn(withMarks(own, await comments.readAmong(own.parties, viewer)), withheld);
      return toResponse(await encode(toCachedPage(bytes, JSON_HEADERS, []), encoding), encoding);
    }, owner);
  };
}

function pageOf({
  page,
  pageSize,
  sort: order = 'newest',
}: Input): (PageRequest & { order: CommentOrder }) | null {
  return page === undefined && pageSize === undefined
    ? null
    : { page: page ?? 1, pageSize: pageSize ?? PAGE_SIZE, order };
}

/** Returns the cache key. Its spaces keep it distinct from any request target. */
function keyOf(input: Input): string {
  const request = pageOf(input);
  if (!request) return `comments ${input.page_id} newest`;
  const { page, pageSize, order } = request;
  return `comments ${input.page_id} ${page} ${pageSize}${order === 'newest' ? '' : ` ${order}`}`;
}

/** Builds a response comment by comment; `add` returns false if the comment would exceed `maxBytes`. */
function openListing(maxBytes: number) {
  const chunks: Buffer[] = [];
  const parties: Parties[] = [];
  const marks: number[] = [];
  let length = OPENING.length;
  return {
    add(listed: ListedComment): boolean {
      const comma = parties.length === 0 ? '' : ',';
      // Quotes inside user text are escaped, so `IS_READ` matches only the real property.
      const text = comma + JSON.stringify(Comment.parse(listed.comment));
      const chunk = Buffer.from(text);
      if (length + chunk.length + CLOSING.length > maxBytes) return false;
      marks.push(length + chunk.indexOf(IS_READ) + IS_READ.length);
      chunks.push(chunk);
      parties.push(listed.parties);
      length += chunk.length;
      return true;
    },
    close: (): Listing => ({
      bytes: Buffer.concat([Buffer.from(OPENING), ...chunks, Buffer.from(CLOSING)]),
      parties,
      marks,
    }),
  };
}

function toListing(comments: readonly ListedComment[]): Listing {
  const listing = openListing(Infinity);
  for (const comment of comments) listing.add(comment);
  return listing.close();
}

/** Returns whether a response starts with the newest comments, where authors see their hidden comments. */
function isNewest(input: Input): boolean {
  const request = pageOf(input);
  return !request || (request.page === 1 && request.order === 'newest');
}

function withOwn(bytes: Buffer, withheld: readonly Comment[]): Buffer {
  if (withheld.length === 0) return bytes;
  const texts = withheld.map((comment) => JSON.stringify(Comment.parse(comment))).join(',');
  const comma = bytes.length > OPENING.length + CLOSING.length ? ',' : '';
  return Buffer.concat([Buffer.from(OPENING + texts + comma), bytes.subarray(OPENING.length)]);
}

function withMarks({ bytes, parties, marks }: Listing, read: ReadonlySet<string>): Buffer {
  const chunks: Buffer[] = [];
  let from = 0;
  parties.forEach(({ id }, index) => {
    const at = marks[index] ?? 0;
    if (!read.has(id)) return;
    chunks.push(bytes.subarray(from, at), Buffer.from('true'));
    from = at + 'false'.length;
  });
  return Buffer.concat([...chunks, bytes.subarray(from)]);
}
