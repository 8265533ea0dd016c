import type { Services } from '../../services.ts';
import { answerWith, type Handlers } from '../handler.ts';
import { placeOf } from './safety-handlers.ts';

export const signupHandlers = ({ signups, invitations, humans }: Services) =>
  ({
    signup: (asked) => signups.signUp(asked.input, placeOf(asked)),
    signupMode: () => signups.mode(),
    humanCheck: () => humans.ask(),
    invitationList: () => invitations.list(),
    invitationAdd: ({ input, viewer }) => invitations.add(input, viewer.id),
    invitationEnd: answerWith('邀请码已停用', ({ input, viewer }) => invitations.end(input.id, viewer.id)),
  }) satisfies Partial<Handlers>;
