import { pageTags } from '../../blog/page-tags.ts';
import { BOUNDS, PAGE_SIZE, type CommentOrder } from '../../contract/bounds.ts';
import type { CallInput, calls } from '../../contract/calls.ts';
import { Comment } from '../../contract/entities.ts';
import { addressKey } from '../address.ts';
import type { Reader } from '../db/visibility.ts';
import { chooseEncoding } from '../cache/choose-encoding.ts';
import { encode, keepPage, type Encoding, type KeptPage } from '../cache/kept-page.ts';
import { loadFor } from '../cache/load-for.ts';
import type { PageCache, Rendering } from '../cache/page-cache.ts';
import type { PlainAnswer } from '../cache/renders.ts';
import type { CommentService } from '../comments/comment-service.ts';
import { isParty, type ListedComment, type Parties } from '../comments/comment-views.ts';
import type { PageRequest } from '../paging.ts';
import { createQueue } from '../queue.ts';
import type { Asked } from './handler.ts';
import { JSON_HEADERS, toResponse, type KeptAnswers } from './kept-answers.ts';

type Input = CallInput<'articleComments'>;

interface Parts {
  comments: CommentService;
  /** Null where nothing is kept. */
  cache: PageCache<PlainAnswer> | null;
  kept: KeptAnswers;
}

/** Answers made at once and waiting, of all and of one: each takes 10 ms of the thread and some megabytes. */
const LIMITS = { running: 2, runningEach: 1, waiting: 256, waitingEach: 8 };
/** What is remembered of one comment besides its text, roughly. */
const PARTIES_BYTES = 300;
const OPENING = '{"code":"OK","data":[';
const CLOSING = ']}';
const IS_READ = '"is_read":';

/** An answer as visitors get it, and what must be known to put a viewer's marks into it. */
interface Listing {
  bytes: Buffer<ArrayBuffer>;
  parties: readonly Parties[];
  /** Where in `bytes` the value of each comment's `is_read` begins. */
  marks: readonly number[];
}

/**
 * The comments under an article, as bytes. A visitor's answer is kept like a page, and is that of everybody
 * without marks; others get marks put into a copy. What only the article's author may see is never kept.
 * @returns answers the call; refuses with UNAVAILABLE while too many answers are being made
 */
export function createCommentList({ comments, cache, kept: answers }: Parts) {
  const queue = createQueue(LIMITS);
  const listings = new WeakMap<KeptPage, Listing>();

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

  /** A visitor's answer: kept, unless it is a page under another's number, or there is nothing to be seen. */
  async function render(input: Input, encoding: Encoding): Promise<Rendering<PlainAnswer>> {
    const { listing, isClamped } = await list(input, null);
    if (isClamped || listing.parties.length === 0)
      return {
        kept: null,
        answer: { status: 200, headers: Object.fromEntries(JSON_HEADERS), bytes: listing.bytes },
      };
    const tags = [pageTags.site, pageTags.article(input.page_id), pageTags.comments(input.page_id)];
    const kept: KeptPage = {
      ...keepPage(listing.bytes, JSON_HEADERS, tags),
      extraBytes: listing.bytes.length + listing.parties.length * PARTIES_BYTES,
      // Compressing a megabyte as far as it goes takes two seconds of a core.
      isSmall: true,
    };
    listings.set(kept, listing);
    await encode(kept, encoding);
    return { kept };
  }

  async function load(input: Input, encoding: Encoding, owner: string): Promise<Rendering<PlainAnswer>> {
    const make = () => queue.run(() => render(input, encoding), owner);
    if (!cache) return make();
    const key = keyOf(input);
    const kept = cache.get(key);
    if (kept) return { kept };
    return loadFor(cache, key, make);
  }

  return async (
    { input, viewer, from }: Asked<typeof calls.articleComments>,
    acceptEncoding: string | undefined,
  ): Promise<Response> => {
    const owner = viewer ? viewer.id : addressKey(from.address);
    const withheld = viewer && isNewest(input) ? await comments.withheldOf(viewer, input.page_id) : [];
    const encoding = chooseEncoding(acceptEncoding);
    const made = await load(input, encoding, owner);
    const listing = made.kept ? listings.get(made.kept) : undefined;
    const concerns = ({ parties }: Listing) => parties.some((each) => viewer && isParty(each, viewer));
    if (made.kept && listing && withheld.length === 0 && !concerns(listing))
      return toResponse(await answers.encoded(made.kept, encoding, keyOf(input)), encoding);
    if (!viewer) return toResponse(made.kept ? await encode(made.kept, 'identity') : made.answer);
    return queue.run(async () => {
      const own = listing ?? (await list(input, viewer)).listing;
      const bytes = withOwn(withMarks(own, await comments.readAmong(own.parties, viewer)), withheld);
      return toResponse(await encode(keepPage(bytes, JSON_HEADERS, []), encoding), encoding);
    }, owner);
  };
}

/** The page asked for, or null for the newest comments. */
function pageOf({
  page,
  pageSize,
  sort: order = 'newest',
}: Input): (PageRequest & { order: CommentOrder }) | null {
  return page === undefined && pageSize === undefined
    ? null
    : { page: page ?? 1, pageSize: pageSize ?? PAGE_SIZE, order };
}

/** The key an answer is kept by. Its spaces keep it apart from the target of any request. */
function keyOf(input: Input): string {
  const request = pageOf(input);
  if (!request) return `comments ${input.page_id} newest`;
  const { page, pageSize, order } = request;
  return `comments ${input.page_id} ${page} ${pageSize}${order === 'newest' ? '' : ` ${order}`}`;
}

/** Writes an answer comment by comment; `add` refuses the first beyond `maxBytes`, and all after it. */
function openListing(maxBytes: number) {
  const chunks: Buffer[] = [];
  const parties: Parties[] = [];
  const marks: number[] = [];
  let length = OPENING.length;
  return {
    add(listed: ListedComment): boolean {
      const comma = parties.length === 0 ? '' : ',';
      // In a text of somebody's the quotes are escaped.
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

/** Whether an answer begins with the newest comments, where the writer sees what nobody else does. */
function isNewest(input: Input): boolean {
  const request = pageOf(input);
  return !request || (request.page === 1 && request.order === 'newest');
}

/** An answer that begins with comments its reader alone sees. */
function withOwn(bytes: Buffer, withheld: readonly Comment[]): Buffer {
  if (withheld.length === 0) return bytes;
  const texts = withheld.map((comment) => JSON.stringify(Comment.parse(comment))).join(',');
  const comma = bytes.length > OPENING.length + CLOSING.length ? ',' : '';
  return Buffer.concat([Buffer.from(OPENING + texts + comma), bytes.subarray(OPENING.length)]);
}

/** A copy in which the comments `read` are marked as read. */
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
