import { CLOSING_DAYS } from '../../../contract/rules/closing.ts';
import { isStaff } from '../../../contract/rules/permissions.ts';
import { scopesFor } from '../../../contract/rules/scopes.ts';
import type { Place } from '../../auth/guard/known-places.ts';
import type { Services } from '../../services.ts';
import { clientName } from '../client-name.ts';
import { answerWith, type From, type Handlers } from '../handler.ts';

export const placeOf = ({ from, userAgent }: { from: From; userAgent: string | undefined }): Place => ({
  ...from,
  client: clientName(userAgent),
});

export const accountHandlers = ({
  accessTokens,
  auth,
  safety,
  passkeys,
  recovery,
  options,
  closing,
  humans,
  identities,
  invitations,
  ownProfile,
  signups,
  users,
}: Services) =>
  ({
    signin: (asked) => auth.signin(asked.input, placeOf(asked)),
    refreshToken: ({ authorization }) => auth.refresh(authorization),
    signout: answerWith('已退出登录', async ({ authorization }) =>
      auth.signout(await auth.viewerOf(authorization)),
    ),
    getUserInfo: ({ input, viewer }) => users.info(input.username, viewer),
    userDetail: ({ input }) => users.detail(input.username),
    updateBio: answerWith('个人简介已更新', ({ input, viewer }) => users.updateBio(viewer, input.bio)),
    usernameChange: answerWith('用户名已修改', (asked) =>
      ownProfile.rename(asked.viewer, asked.input, placeOf(asked)),
    ),
    profileChange: answerWith('个人资料已更新', ({ input, viewer }) => ownProfile.change(viewer, input)),
    updateGender: answerWith('性别已更新', ({ input, viewer }) => users.updateGender(viewer, input.gender)),
    thanksChange: answerWith('赞赏码已更新', ({ input, viewer }) => users.changeThanks(viewer, input.thanks)),
    statistics: () => users.statistics(),

    signup: (asked) => signups.signUp(asked.input, placeOf(asked)),
    signupMode: () => signups.mode(),
    humanCheck: () => humans.ask(),
    invitationList: () => invitations.list(),
    invitationAdd: ({ input, viewer }) => invitations.add(input, viewer.id),
    invitationEnd: answerWith('邀请码已停用', ({ input, viewer }) => invitations.end(input.id, viewer.id)),

    signinFinish: (asked) => auth.finishSignin(asked.input, placeOf(asked)),
    passkeyAsk: () => passkeys.ask(),
    passkeySignin: (asked) => passkeys.signin(asked.input.response, placeOf(asked)),
    passwordForgot: answerWith(
      '如果这个账号存在，并且确认过邮箱，几分钟内会收到一封邮件',
      ({ input, from }) => recovery.forgot(input.account, from),
    ),
    passwordReset: answerWith('密码已重设，请用新密码登录', ({ input, from }) => recovery.reset(input, from)),
    emailVerify: ({ input }) => recovery.verifyEmail(input.token),

    safety: async ({ viewer }) => {
      const [twoStep, keys, email, linked, has_password, closing_time, { secondFactorForStaff }] =
        await Promise.all([
          safety.twoStep(viewer.id),
          passkeys.list(viewer.id),
          recovery.emailOf(viewer.id),
          identities.list(viewer.id),
          users.hasPassword(viewer.id),
          closing.dueTimeOf(viewer.id),
          options.read(),
        ]);
      return {
        ...twoStep,
        needs_totp: secondFactorForStaff && isStaff(viewer.role) && !twoStep.has_totp,
        passkeys: keys,
        can_use_passkeys: passkeys.isOffered,
        email: email ?? '',
        can_mail: recovery.hasMail,
        has_password,
        identities: linked,
        closing_time,
      };
    },
    passwordChange: answerWith('密码已修改，其他设备已退出登录', ({ input, viewer, from }) =>
      safety.changePassword(viewer, input, from),
    ),
    deviceList: ({ viewer }) => safety.devices(viewer),
    deviceEnd: answerWith('这台设备已退出登录', ({ input, viewer }) => safety.endDevice(viewer, input.id)),
    deviceEndOthers: async ({ viewer }) => ({ ended: await safety.endOtherDevices(viewer) }),
    totpBegin: ({ input, viewer, from }) => safety.beginTotp(viewer, input.password, from),
    totpConfirm: ({ input, viewer, from }) => safety.confirmTotp(viewer, input, from),
    totpRemove: answerWith('两步验证已关闭', ({ input, viewer, from }) =>
      safety.removeTotp(viewer, input, from),
    ),
    recoveryRenew: ({ input, viewer, from }) => safety.renewRecovery(viewer, input, from),
    passkeyBegin: ({ input, viewer, from }) => passkeys.begin(viewer, input, from),
    passkeyAdd: answerWith('通行密钥已添加', ({ input, viewer }) => passkeys.add(viewer, input)),
    passkeyRename: answerWith('通行密钥已改名', ({ input, viewer }) => passkeys.rename(viewer, input)),
    passkeyRemove: answerWith('通行密钥已删除', ({ input, viewer, from }) =>
      passkeys.remove(viewer, input, from),
    ),
    accessTokenList: async ({ viewer }) => ({
      tokens: await accessTokens.list(viewer),
      scopes: scopesFor(viewer.role),
    }),
    accessTokenCreate: ({ input, viewer, from }) => accessTokens.create(viewer, input, from),
    accessTokenRevoke: answerWith('访问令牌已撤销', ({ input, viewer }) =>
      accessTokens.revoke(viewer, input.id),
    ),
    accountClose: async ({ input, viewer, from }) =>
      (await closing.close(viewer, input, from))
        ? '账号已注销'
        : `账号将在 ${CLOSING_DAYS} 天后注销，邮件里的链接可以撤销，也可以马上注销`,
    accountKeep: answerWith('账号不会注销了', ({ viewer }) => closing.stop(viewer.id)),
    accountCloseDecide: async ({ input }) => {
      await closing.decide(input);
      return input.action === 'now' ? '账号已注销' : '账号不会注销了';
    },
    emailSet: answerWith('确认邮件已发出，请到邮箱里打开链接', ({ input, viewer, from }) =>
      recovery.setEmail(viewer, input, from),
    ),
    emailRemove: answerWith('邮箱已移除', ({ input, viewer, from }) =>
      recovery.removeEmail(viewer, input, from),
    ),
  }) satisfies Partial<Handlers>;
