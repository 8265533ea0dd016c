import { createInvitationService } from './invitation-service.ts';
import { createSignupService } from './signup-service.ts';

type Parts = Parameters<typeof createInvitationService>[0] &
  Omit<Parameters<typeof createSignupService>[0], 'invitations'>;

export function createSignupServices(parts: Parts) {
  const invitations = createInvitationService(parts);
  return { invitations, signups: createSignupService({ ...parts, invitations }) };
}
