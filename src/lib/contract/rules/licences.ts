import type { TextRule } from './names.ts';

export interface Licence {
  readonly name: string;
  /** Address of its text; absent if all rights are reserved. */
  readonly url?: string;
}

const creativeCommons = (terms: string, code: string): Licence => ({
  name: `知识共享 ${terms} 4.0`,
  url: `https://creativecommons.org/licenses/${code}/4.0/deed.zh-hans`,
});

/** Licences by stored name (SPDX, in lower case). Articles without a licence do not show one. */
export const LICENCES: Readonly<Record<string, Licence>> = {
  'all-rights-reserved': { name: '保留所有权利' },
  'cc-by-4.0': creativeCommons('署名', 'by'),
  'cc-by-sa-4.0': creativeCommons('署名—相同方式共享', 'by-sa'),
  'cc-by-nd-4.0': creativeCommons('署名—禁止演绎', 'by-nd'),
  'cc-by-nc-4.0': creativeCommons('署名—非商业性使用', 'by-nc'),
  'cc-by-nc-sa-4.0': creativeCommons('署名—非商业性使用—相同方式共享', 'by-nc-sa'),
  'cc-by-nc-nd-4.0': creativeCommons('署名—非商业性使用—禁止演绎', 'by-nc-nd'),
  'cc0-1.0': {
    name: 'CC0 1.0（放弃著作权）',
    url: 'https://creativecommons.org/publicdomain/zero/1.0/deed.zh-hans',
  },
};

export const licenceRule: TextRule = {
  accepts: (text) => text === '' || Object.hasOwn(LICENCES, text),
  says: '没有这种许可协议',
  hint: `空，或者 ${Object.keys(LICENCES).join('、')}`,
};
