import type { Device, RecoveryCodes, TotpSetup } from '../../../contract/account-entities.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import type { Proof, Viewer } from '../auth-service.ts';
import type { Place } from '../guard/known-places.ts';
import type { AppParts } from '../../services.ts';

export type SafetyService = ReturnType<typeof createSafetyService>;

export function createSafetyService(parts: Pick<AppParts, 'db' | 'auth' | 'users' | 'notifyChange'>) {
  const { db, auth, users, notifyChange } = parts;
  const { signins, twoStep } = auth;
  return {
    twoStep: twoStep.state,
    devices: (viewer: Viewer): Promise<Device[]> => signins.list(viewer),
    endDevice: (viewer: Viewer, signinId: string): Promise<void> =>
      db.write(async (trx) => void (await signins.endAllOf(trx, viewer.id, { only: signinId }))),
    endOtherDevices: (viewer: Viewer): Promise<number> =>
      db.write((trx) => signins.endAllOf(trx, viewer.id, { except: viewer.signinId })),
    /**
     * Replaces the viewer's password, ends their other sign-ins and, unless `keep_tokens`, revokes their
     * access tokens. Refuses with PASSWORD_WRONG, CODE_WRONG, TOO_MANY_REQUESTS.
     */
    async changePassword(
      viewer: Viewer,
      change: Proof & { new_password: string; keep_tokens?: boolean },
      from: Place,
    ): Promise<void> {
      const account = await auth.confirmChange(viewer, change, from);
      const hash = await auth.hashNew(change.new_password, viewer);
      await db.write(async (trx) => {
        // A concurrent change has replaced the password.
        if (!(await users.hasPasswordHash(trx, account.id, account.passwordHash)))
          refuse('PASSWORD_WRONG', { field: 'password' });
        const kept = { except: viewer.signinId, keepsTokens: change.keep_tokens ?? false };
        await auth.replacePassword(trx, account.id, hash, kept);
      });
    },
    /** Starts enabling two-step verification. Refuses with PASSWORD_WRONG, TOTP_ON. */
    async beginTotp(viewer: Viewer, password: string, from: Place): Promise<TotpSetup> {
      await auth.confirm(viewer, password, from);
      return twoStep.begin(viewer);
    },
    /**
     * Enables it with the first code, ends the viewer's other sign-ins and returns recovery codes. Refuses
     * with CODE_WRONG, TICKET_OVER, TOTP_ON, TOO_MANY_REQUESTS.
     */
    async confirmTotp(
      viewer: Viewer,
      given: { ticket: string; code: string },
      from: Place,
    ): Promise<RecoveryCodes> {
      const codes = await auth.attemptCode(viewer, from, () =>
        db.write(async (trx) => {
          const made = await twoStep.confirm(trx, viewer.id, given);
          if (!made) return null;
          await signins.endAllOf(trx, viewer.id, { except: viewer.signinId });
          await notifyChange(trx, viewer.id, 'totp-on');
          return made;
        }),
      );
      return { codes };
    },
    /** Disables it. Refuses with PASSWORD_WRONG, CODE_WRONG, TOTP_OFF. */
    async removeTotp(viewer: Viewer, proof: Proof, from: Place): Promise<void> {
      await auth.confirmChange(viewer, proof, from);
      await db.write(async (trx) => {
        if (!(await twoStep.remove(trx, viewer.id))) refuse('TOTP_OFF');
        await notifyChange(trx, viewer.id, 'totp-off');
      });
    },
    /** Replaces the recovery codes. Refuses with PASSWORD_WRONG, CODE_WRONG, TOTP_OFF. */
    async renewRecovery(viewer: Viewer, proof: Proof, from: Place): Promise<RecoveryCodes> {
      await auth.confirmChange(viewer, proof, from);
      const codes = await db.write(async (trx) => {
        const made = await twoStep.renew(trx, viewer.id);
        await notifyChange(trx, viewer.id, 'recovery-codes');
        return made;
      });
      return { codes };
    },
  };
}
