import { validateXML } from 'xmllint-wasm';
import sharp from 'sharp';
import { done, openServer, type Person, type TestServer } from './server.ts';

export const ORIGIN = 'https://blog.example.com';

/** A site with a public address of its own, as feeds and sitemaps name it. */
export const openSite = (environment: Record<string, string> = {}): Promise<TestServer> =>
  openServer({ SITE_URL: ORIGIN, SITE_TITLE: '墨页', SITE_DESCRIPTION: '写字 & 读书', ...environment });

/** Uploads a picture; returns its address. */
export async function uploadPicture(server: TestServer, person: Person): Promise<string> {
  const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#246' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'a.png');
  const answer = await server.raw('/api/file/uploadImage', form, { type: null, token: person.token });
  return done(answer).url;
}

/** What is wrong with an XML document, by `schema` where one is given: of XML Schema, or of RELAX NG. */
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

/** Addresses that a document names in `<loc>`. */
export const locationsIn = (xml: string): string[] =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'));
