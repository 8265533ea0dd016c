import { z } from 'zod';
import { byId, nothing, notice, open, staff } from './call.ts';
import { textField, wholeField } from '../fields.ts';
import { WorkToDo } from '../human-check.ts';
import { SIGNUP_MODES } from '../site-options.ts';

export const Invitation = z.object({
  id: z.string(),
  code: z.string(),
  note: z.string(),
  most_uses: z.int(),
  uses: z.int(),
  end_time: z.string(),
  create_time: z.string(),
  /** Username of the creator; the empty string for the command line or a deleted account. */
  creator: z.string(),
  guests: z.array(z.string()),
  is_good: z.boolean(),
});
export type Invitation = z.infer<typeof Invitation>;

export const NewInvitation = z.object({
  uses: wholeField('可用次数', 1000),
  days: wholeField('有效天数', 365),
  note: textField('备注', [0, 60]).default(''),
});
export type NewInvitation = z.infer<typeof NewInvitation>;

export const signupCalls = {
  signupMode: open(
    'read',
    nothing,
    z.object({
      mode: z.enum(SIGNUP_MODES),
      check: z.boolean(),
    }),
  ),
  humanCheck: open('write', nothing, WorkToDo),
  invitationList: staff('read', 'invitations.manage', nothing, z.array(Invitation)),
  invitationAdd: staff('write', 'invitations.manage', NewInvitation, Invitation),
  invitationEnd: staff('write', 'invitations.manage', byId, notice),
};
