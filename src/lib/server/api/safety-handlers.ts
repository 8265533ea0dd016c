import type { Place } from '../auth/known-places.ts';
import type { Services } from '../services.ts';
import { clientName } from './client-name.ts';
import type { From, Handlers } from './handler.ts';

/** Where a request comes from, and what its device is called. */
export const placeOf = ({ from, userAgent }: { from: From; userAgent: string | undefined }): Place => ({
  ...from,
  client: clientName(userAgent),
});

/** What keeps an account its owner's. */
export const safetyHandlers = ({ auth }: Services) =>
  ({
    signinFinish: (asked) => auth.finishSignin(asked.input, placeOf(asked)),
    safety: ({ viewer }) => auth.safety(viewer),
    passwordChange: async ({ input, viewer, from }) => {
      await auth.changePassword(viewer, input, from);
      return '密码已修改，其他设备已退出登录';
    },
    deviceList: ({ viewer }) => auth.devices(viewer),
    deviceEnd: async ({ input, viewer }) => {
      await auth.endDevice(viewer, input.id);
      return '这台设备已退出登录';
    },
    deviceEndOthers: async ({ viewer }) => ({ ended: await auth.endOtherDevices(viewer) }),
    totpBegin: ({ input, viewer, from }) => auth.beginTotp(viewer, input.password, from),
    totpConfirm: ({ input, viewer, from }) => auth.confirmTotp(viewer, input, from),
    totpRemove: async ({ input, viewer, from }) => {
      await auth.removeTotp(viewer, input.password, from);
      return '两步验证已关闭';
    },
    recoveryRenew: ({ input, viewer, from }) => auth.renewRecovery(viewer, input.password, from),
  }) satisfies Partial<Handlers>;
