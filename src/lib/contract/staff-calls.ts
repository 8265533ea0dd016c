import { z } from 'zod';
import { open, signedIn, staff } from './call.ts';
import { TokenPair } from './entities.ts';
import { passwordField, usernameField } from './fields.ts';
import { routes } from './routes.ts';
import { SiteOptionChanges, SiteOptions } from './site-options.ts';

const nothing = z.object({});
const keyField = z
  .string({ error: '请用完整的链接打开' })
  .trim()
  .min(1, '请用完整的链接打开')
  .max(200, '链接不正确');

/** What the console's first page counts. */
export const Overview = z.object({
  /** Of the last seven days. */
  recent: z.object({ articles: z.int(), comments: z.int(), users: z.int() }),
  total: z.object({ articles: z.int(), comments: z.int(), users: z.int() }),
  /** Bytes of all texts and uploads that accounts hold. */
  stored_bytes: z.int(),
});
export type Overview = z.infer<typeof Overview>;

/** Calls by which a site gets its operator, and those of staff. */
export const staffCalls = {
  operatorSetup: open(
    'write',
    routes.operatorSetup,
    z
      .object({
        key: keyField,
        username: usernameField,
        password: passwordField,
        repassword: z.string({ error: '请再次填写密码' }),
      })
      .refine((body) => body.password === body.repassword, {
        path: ['repassword'],
        error: '两次填写的密码不一致',
      })
      .transform(({ key, username, password }) => ({ key, username, password })),
    TokenPair,
  ),
  operatorClaim: signedIn('write', routes.operatorClaim, z.object({ key: keyField }), z.string()),
  staffOverview: staff('read', 'console.open', routes.staffOverview, nothing, Overview),
  siteOptions: staff('read', 'options.read', routes.siteOptions, nothing, SiteOptions),
  siteOptionsChange: staff(
    'write',
    'options.change',
    routes.siteOptionsChange,
    SiteOptionChanges,
    SiteOptions,
  ),
};
