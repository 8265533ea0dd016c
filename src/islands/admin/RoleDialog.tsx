import { useEffect, useState } from 'react';
import type { StaffUser } from '../../lib/contract/calls/staff-calls.ts';
import { ROLE_NAMES, type Role } from '../../lib/contract/rules/permissions.ts';
import { call } from '../../lib/stores/api.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { CurrentPassword, Proofs, SettingsForm } from '../settings/SettingsForm.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Choice } from '../ui/form/Choice.tsx';

const HINTS: Record<Role, string> = {
  author: '写文章、发评论，不能进站务后台。',
  editor: '还能处理审核、举报、标签和封禁。',
  operator: '还能修改网站的设置和别人的身份，查看操作记录。',
};

interface Props {
  user: StaffUser;
  /** Name of the viewer. */
  own: string;
  onClose(): void;
  changed(): void;
}

/** Changes a role after confirmation; an operator's role also needs the viewer's password. */
export function RoleDialog({ user: { username, role }, own, onClose, changed }: Props) {
  const [next, setNext] = useState(role);
  const [hasTotp, setHasTotp] = useState(false);
  useEffect(() => {
    void call('safety', {}, { quiet: true }).then(
      (safety) => setHasTotp(safety.has_totp),
      // The server asks for the code.
      () => setHasTotp(true),
    );
  }, []);
  const needsProof = next !== role && (next === 'operator' || role === 'operator');
  const isOwnDemotion = username === own && needsProof;
  const send = async ({ password, code }: Record<string, string>) => {
    const proof = needsProof ? { password, code } : {};
    showNotice(await call('userRole', { username, role: next, ...proof }, { quiet: true }));
    // The viewer may no longer see this page.
    if (isOwnDemotion) location.assign('/');
    onClose();
    changed();
  };
  return (
    <Dialog title={`${username} 的身份`} isOpen onClose={onClose} place="top">
      <Proofs value={{ hasPassword: true, hasTotp }}>
        <SettingsForm
          label={`${username} 的身份`}
          action={next === role ? '保存' : `改为${ROLE_NAMES[next]}`}
          isDangerous={isOwnDemotion}
          call="userRole"
          fixed={{ username, role: next }}
          asksCode={needsProof}
          send={send}
          onEnd={onClose}
        >
          {(parts) => (
            <div className="mb-4">
              <Choice label="身份" value={next} options={ROLE_NAMES} onChange={setNext} hint={HINTS[next]} />
              {isOwnDemotion && (
                <p role="alert" className="mt-3 text-sm text-vermilion">
                  这是你自己的账号。改了以后，你马上不能再管理网站，也不能自己改回来，只能请另一位站长来改。
                </p>
              )}
              {needsProof && (
                <div className="mt-4">
                  <CurrentPassword {...parts} label="你自己的密码" />
                </div>
              )}
            </div>
          )}
        </SettingsForm>
      </Proofs>
    </Dialog>
  );
}
