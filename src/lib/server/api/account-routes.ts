import { calls } from '../../contract/calls.ts';
import type { Services } from '../services.ts';
import { route, type Route } from './route.ts';

/** Sign-up, sign-in, users, statistics. */
export const accountRoutes = ({ auth, users }: Services): Route[] => [
  route(calls.signup, ({ input, from }) => auth.signup(input, from)),
  route(calls.signin, ({ input, from }) => auth.signin(input, from)),
  route(calls.refreshToken, ({ authorization }) => auth.refresh(authorization)),
  route(calls.signout, async ({ authorization }) => {
    await auth.signout(await auth.viewerOf(authorization));
    return '已退出登录';
  }),
  route(calls.getUserInfo, ({ input, viewer }) => users.info(input.username, viewer)),
  route(calls.userDetail, ({ input }) => users.detail(input.username)),
  route(calls.updateBio, async ({ input, viewer }) => {
    await users.updateBio(viewer, input.bio);
    return '个人简介已更新';
  }),
  route(calls.statistics, () => users.statistics()),
];
