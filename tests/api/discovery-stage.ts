import { validateXML } from 'xmllint-wasm';
import sharp from 'sharp';
import { done, openServer, type Person, type TestServer } from './server.ts';

export const ORIGIN = 'https://blog.example.com';

/** Opens a site with a public URL, which feeds and sitemaps contain. */
export const openSite = (environment: Record<string, string> = {}): Promise<TestServer> =>
  openServer({ SITE_URL: ORIGIN, SITE_TITLE: '墨页', SITE_DESCRIPTION: '写字 & 读书', ...environment });

/** Uploads a picture; returns its URL. */
export async function uploadPicture(server: TestServer, person: Person): Promise<string> {
  const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#246' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'a.png');
  const answer = await server.raw('/api/file/uploadImage', form, { type: null, token: person.token });
  return done(answer).url;
}

/** Describes the faults of an XML document, validated against `schema` (XML Schema or RELAX NG) if given. */
export async function problemsOf(
  xmlText: string,
  schema?: string,
  extension: 'schema' | 'relaxng' = 'schema',
): Promise<string[]> {
  const xml = [{ fileName: 'document.xml', contents: xmlText }];
  const { errors } = await validateXML(
    schema === undefined ? { xml, normalization: 'format' } : { xml, schema: [schema], extension },
  );
  return errors.map(({ message }) => message);
}

/** URLs in the `<loc>` elements of a document. */
export const locationsIn = (xml: string): string[] =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'));
