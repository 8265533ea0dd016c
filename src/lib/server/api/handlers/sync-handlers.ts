import { BOUNDS } from '../../../contract/rules/bounds.ts';
import { envelopeOf, isRefusal, refusal, refuse, type RefusalCode } from '../../../contract/rules/errors.ts';
import { FILE_ROUTES, type FileRoute } from '../../../contract/rules/file-routes.ts';
import { syncedPathField } from '../../../contract/fields.ts';
import { articleUrl } from '../../../shared/urls.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { RequestLimiter } from '../../auth/guard/guard.ts';
import { addressKey } from '../../http/address.ts';
import type { Turns } from '../../jobs/turns.ts';
import type { Services } from '../../services.ts';
import { callerOf } from '../caller.ts';
import { clientName } from '../client-name.ts';
import type { ApiRoutes } from '../handler.ts';
import type { HeldBodies } from '../held-bodies.ts';

const { syncedFiles, syncedFile, syncedFilePut, syncedFileDelete, syncedPicturePut } = FILE_ROUTES;
type Route = typeof syncedFile | typeof syncedFilePut | typeof syncedFileDelete | typeof syncedPicturePut;

interface Asked {
  viewer: Viewer;
  /** Whether the caller may upload pictures. */
  mayUpload: boolean;
  /** Path in the author's folder. */
  path: string;
  request: Request;
  /** Reads the body. Refuses as `HeldBody.bytes`. */
  body(): Promise<Uint8Array>;
}

/** Serves the files of authors' folders, by path: articles as Markdown, and their pictures. */
export function serveSyncedFiles(
  api: ApiRoutes,
  services: Services,
  { bodies, limiter, turns }: { bodies: HeldBodies; limiter: RequestLimiter; turns: Turns },
): void {
  const { sync, slugs } = services;
  /** The caller, once the address may ask; refuses as `callerOf`, and with SIGNIN_REQUIRED. */
  const viewerOf = async ({ method, scope }: FileRoute, request: Request, address: string) => {
    await limiter.consume(address, method === 'GET' ? 'read' : 'write');
    const asked = { scope: scope ?? null, auth: 'required' } as const;
    const authorization = request.headers.get('authorization') ?? undefined;
    const { viewer, expired, mayUpload } = await callerOf(services, asked, authorization, address);
    return { viewer: viewer ?? refuse(expired ? 'TOKEN_EXPIRED' : 'SIGNIN_REQUIRED'), mayUpload };
  };
  const serve = (route: Route, most: number, answer: (asked: Asked) => Promise<Response>): void => {
    const folder = route.path.replace('/{path}', '');
    api.on(route.method, `${folder}/:path{.+}`, async ({ env: { address }, req }) => {
      // The size before the caller, and both before the body is read.
      using held = bodies.open(req.raw, most, addressKey(address));
      const { viewer, mayUpload } = await viewerOf(route, req.raw, address);
      const path = pathIn(req.url, folder);
      const body = () => held.bytes();
      const work = () => answer({ viewer, mayUpload, path, request: req.raw, body });
      return await (route.method === 'GET' ? turns.run(work, viewer.id) : work());
    });
  };

  api.get(syncedFiles.path, async ({ env: { address }, req }) => {
    const { viewer } = await viewerOf(syncedFiles, req.raw, address);
    const files = await turns.run(() => sync.list(viewer), viewer.id);
    return Response.json({ code: 'OK', data: { files, takes: ['plain', 'dry_run'] } });
  });

  serve(syncedFile, 0, async ({ viewer, path, request }) => {
    const { bytes, etag } = await sync.read(viewer, path);
    const headers = {
      ETag: `"${etag}"`,
      'Content-Type': 'text/markdown; charset=utf-8',
      'Cache-Control': 'private, no-cache',
    };
    if (tagIn(request, 'if-none-match') === etag) return new Response(null, { status: 304, headers });
    return new Response(Buffer.from(bytes), { headers });
  });

  serve(syncedFilePut, sync.maxBytes, async ({ viewer, mayUpload, path, request, body }) => {
    requireArticle(path);
    const bytes = await body();
    return orConflict({ viewer, path }, async () => {
      const asked = new URL(request.url).searchParams;
      const plain = asked.get('plain');
      const isDryRun = asked.get('dry_run') === 'true';
      const saved = await sync.put(viewer, {
        path,
        bytes,
        ...conditionsIn(request),
        isVault: asked.get('vault') === 'true',
        keepsMissing: asked.get('missing') === 'keep',
        plain: plain === 'draft' || plain === 'publish' ? plain : null,
        isDryRun,
        mayUpload,
        saved_by: clientName(request.headers.get('user-agent') ?? undefined),
      });
      if ('missing' in saved) return failure('PICTURES_MISSING', { missing: saved.missing });
      const { id, outcome, etag, notes, visibility } = saved;
      const url = id === '' ? '' : articleUrl(id, (await slugs.addressesOf([id])).get(id));
      const data = { id, url, outcome, etag, notes, visibility };
      return Response.json({ code: 'OK', data }, { headers: { ETag: `"${etag}"` } });
    });
  });

  serve(syncedFileDelete, 0, async ({ viewer, path, request }) => {
    requireArticle(path);
    return orConflict({ viewer, path }, async () => {
      await sync.remove(viewer, path, conditionsIn(request));
      return Response.json({ code: 'OK', data: '文章已移到回收站' });
    });
  });

  serve(syncedPicturePut, BOUNDS.imageBytes, async ({ viewer, path, body }) => {
    if (sync.isArticle(path)) refuse('FIELD_INVALID', { text: '这里只能放图片', field: 'path' });
    const bytes = await body();
    return Response.json({ code: 'OK', data: await sync.putPicture(viewer, path, bytes) });
  });

  function requireArticle(path: string): void {
    if (!sync.isArticle(path)) refuse('FIELD_INVALID', { text: '文件名应以 .md 结尾', field: 'path' });
  }

  /** Adds the present version of the file to the refusal FILE_CHANGED. */
  async function orConflict({ viewer, path }: Pick<Asked, 'viewer' | 'path'>, work: () => Promise<Response>) {
    try {
      return await work();
    } catch (error) {
      if (!isRefusal(error, 'FILE_CHANGED')) throw error;
      const present = await sync.read(viewer, path).catch(() => null);
      const text = present === null ? null : new TextDecoder().decode(present.bytes);
      return failure('FILE_CHANGED', { etag: present?.etag ?? null, present: text });
    }
  }
}

function failure(code: RefusalCode, more: object): Response {
  const refused = refusal(code);
  return Response.json({ ...envelopeOf(refused), ...more }, { status: refused.status });
}

/** The path behind `folder` in a URL. Refuses with FIELD_INVALID. */
function pathIn(url: string, folder: string): string {
  const encoded = new URL(url).pathname.slice(folder.length + 1);
  const parsed = syncedPathField.safeParse(decode(encoded));
  if (parsed.success) return parsed.data;
  return refuse('FIELD_INVALID', { text: parsed.error.issues[0]?.message ?? '', field: 'path' });
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const conditionsIn = (request: Request) => ({
  ifMatch: tagIn(request, 'if-match'),
  ifNoneMatch: tagIn(request, 'if-none-match'),
});

/** One entity tag without its quotes, or `*`. */
const tagIn = ({ headers }: Request, name: string): string | undefined =>
  headers
    .get(name)
    ?.trim()
    .replace(/^(?:W\/)?"(.*)"$/, '$1');
