import type { Services } from '../../services.ts';
import { answerWith, type Handlers } from '../handler.ts';
import { placeOf } from './safety-handlers.ts';

export const accountHandlers = ({ auth, users, ownProfile }: Services) =>
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
    statistics: () => users.statistics(),
  }) satisfies Partial<Handlers>;
