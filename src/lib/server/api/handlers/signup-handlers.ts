import type { Services } from '../../services.ts';
import type { Handlers } from '../handler.ts';
import { placeOf } from './safety-handlers.ts';

export const signupHandlers = ({ signups, invitations, humans }: Services) =>
  ({
    signup: (asked) => signups.signUp(asked.input, placeOf(asked)),
    signupMode: () => signups.mode(),
    humanCheck: () => humans.ask(),
    invitationList: () => invitations.list(),
    invitationAdd: ({ input, viewer }) => invitations.add(input, viewer.id),
    invitationEnd: async ({ input, viewer }) => {
      await invitations.end(input.id, viewer.id);
      return '邀请码已停用';
    },
  }) satisfies Partial<Handlers>;
