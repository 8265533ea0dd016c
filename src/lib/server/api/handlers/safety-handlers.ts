import { isStaff } from '../../../contract/rules/permissions.ts';
import type { Place } from '../../auth/guard/known-places.ts';
import type { Services } from '../../services.ts';
import { clientName } from '../client-name.ts';
import type { From, Handlers } from '../handler.ts';

export const placeOf = ({ from, userAgent }: { from: From; userAgent: string | undefined }): Place => ({
  ...from,
  client: clientName(userAgent),
});

export const safetyHandlers = ({ auth, safety, passkeys, recovery, options, closing }: Services) =>
  ({
    signinFinish: (asked) => auth.finishSignin(asked.input, placeOf(asked)),
    passkeyAsk: () => passkeys.ask(),
    passkeySignin: (asked) => passkeys.signin(asked.input.response, placeOf(asked)),
    passwordForgot: async ({ input, from }) => {
      await recovery.forgot(input.account, from);
      return '如果这个账号存在，并且确认过邮箱，几分钟内会收到一封邮件';
    },
    passwordReset: async ({ input, from }) => {
      await recovery.reset(input, from);
      return '密码已重设，请用新密码登录';
    },
    emailVerify: ({ input }) => recovery.verifyEmail(input.token),

    safety: async ({ viewer }) => {
      const [twoStep, keys, email, { secondFactorForStaff }] = await Promise.all([
        safety.twoStep(viewer.id),
        passkeys.list(viewer.id),
        recovery.emailOf(viewer.id),
        options.read(),
      ]);
      return {
        ...twoStep,
        needs_totp: secondFactorForStaff && isStaff(viewer.role) && !twoStep.has_totp,
        passkeys: keys,
        can_use_passkeys: passkeys.isOffered,
        email: email ?? '',
        can_mail: recovery.hasMail,
      };
    },
    passwordChange: async ({ input, viewer, from }) => {
      await safety.changePassword(viewer, input, from);
      return '密码已修改，其他设备已退出登录';
    },
    deviceList: ({ viewer }) => safety.devices(viewer),
    deviceEnd: async ({ input, viewer }) => {
      await safety.endDevice(viewer, input.id);
      return '这台设备已退出登录';
    },
    deviceEndOthers: async ({ viewer }) => ({ ended: await safety.endOtherDevices(viewer) }),
    totpBegin: ({ input, viewer, from }) => safety.beginTotp(viewer, input.password, from),
    totpConfirm: ({ input, viewer, from }) => safety.confirmTotp(viewer, input, from),
    totpRemove: async ({ input, viewer, from }) => {
      await safety.removeTotp(viewer, input, from);
      return '两步验证已关闭';
    },
    recoveryRenew: ({ input, viewer, from }) => safety.renewRecovery(viewer, input, from),
    passkeyBegin: ({ input, viewer, from }) => passkeys.begin(viewer, input, from),
    passkeyAdd: async ({ input, viewer }) => {
      await passkeys.add(viewer, input);
      return '通行密钥已添加';
    },
    passkeyRename: async ({ input, viewer }) => {
      await passkeys.rename(viewer, input);
      return '通行密钥已改名';
    },
    passkeyRemove: async ({ input, viewer, from }) => {
      await passkeys.remove(viewer, input, from);
      return '通行密钥已删除';
    },
    accountClose: async ({ input, viewer, from }) => {
      await closing.close(viewer, input, from);
      return '账号已注销';
    },
    emailSet: async ({ input, viewer, from }) => {
      await recovery.setEmail(viewer, input, from);
      return '确认邮件已发出，请到邮箱里打开链接';
    },
    emailRemove: async ({ input, viewer, from }) => {
      await recovery.removeEmail(viewer, input, from);
      return '邮箱已移除';
    },
  }) satisfies Partial<Handlers>;
