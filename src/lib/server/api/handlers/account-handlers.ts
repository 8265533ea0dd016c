import type { Services } from '../../services.ts';
import type { Handlers } from '../handler.ts';
import { placeOf } from './safety-handlers.ts';

export const accountHandlers = ({ auth, users }: Services) =>
  ({
    signin: (asked) => auth.signin(asked.input, placeOf(asked)),
    refreshToken: ({ authorization }) => auth.refresh(authorization),
    signout: async ({ authorization }) => {
      await auth.signout(await auth.viewerOf(authorization));
      return '已退出登录';
    },
    getUserInfo: ({ input, viewer }) => users.info(input.username, viewer),
    userDetail: ({ input }) => users.detail(input.username),
    updateBio: async ({ input, viewer }) => {
      await users.updateBio(viewer, input.bio);
      return '个人简介已更新';
    },
    statistics: () => users.statistics(),
  }) satisfies Partial<Handlers>;
