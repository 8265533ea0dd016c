import type { IdentityAnswer } from '../../../lib/contract/calls/site-calls.ts';
import type { SiteFrame } from './AccentField.tsx';

type Name = keyof IdentityAnswer['fixed'];

/** Frames of identity fields: a field set outside the console is disabled and names its source. */
export const fixedIn =
  <N extends Name>(fixed: IdentityAnswer['fixed'], frame: (name: N) => { id: string; problem: string }) =>
  (name: N, hint: string): SiteFrame => ({
    ...frame(name),
    hint: fixed[name] === undefined ? hint : `由 ${fixed[name]} 设定，要在那里修改。`,
    disabled: fixed[name] !== undefined,
  });
