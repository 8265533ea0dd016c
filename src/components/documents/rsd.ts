import type { Site } from '../../lib/blog/blog.ts';
import { BLOG_ID, XML_RPC_PATHS } from '../../lib/contract/rules/paths.ts';
import { element, toDocument } from '../../lib/shared/xml/xml.ts';

/** Interfaces at the XML-RPC address, the preferred one first. */
const APIS = ['MetaWeblog', 'MovableType', 'Blogger'];

/** Really Simple Discovery 1.0, by which editors find the address of XML-RPC. */
export const toRsd = ({ origin }: Site): string =>
  toDocument(
    element(
      'rsd',
      { version: '1.0', xmlns: 'http://archipelago.phrasewise.com/rsd' },
      element(
        'service',
        {},
        element('engineName', {}, 'Moye'),
        element('homePageLink', {}, `${origin}/`),
        element(
          'apis',
          {},
          ...APIS.map((name, index) =>
            element('api', {
              name,
              blogID: BLOG_ID,
              preferred: String(index === 0),
              apiLink: origin + XML_RPC_PATHS[0],
            }),
          ),
        ),
      ),
    ),
  );
