import { refuse } from '../../../contract/rules/errors.ts';
import { ROLE_NAMES } from '../../../contract/rules/permissions.ts';
import type { Services } from '../../services.ts';
import { answerWith, type Handlers } from '../handler.ts';

export const staffHandlers = ({
  roles,
  overview,
  options,
  bans,
  reports,
  profiles,
  staffLists,
  auditLists,
  origins,
  picks,
  safety,
}: Services) =>
  ({
    operatorSetup: ({ input, from }) => roles.setUp(input, from),
    operatorClaim: answerWith('你现在是站长了', ({ input, viewer }) => roles.claim(input.key, viewer)),
    staffOverview: ({ viewer }) => overview.read(viewer.role),
    staffUsers: ({ input }) => staffLists.users(input),
    userBan: async ({ input: { until, ...order }, viewer }) => {
      const username = await bans.ban({ ...order, until: until ? Date.parse(until) : null }, viewer);
      return `已封禁 ${username}`;
    },
    userUnban: async ({ input, viewer }) => `已解除对 ${await bans.unban(input.username, viewer)} 的封禁`,
    userRole: async ({ input, viewer, from }) => {
      const { username } = await roles.change(viewer, input, from);
      return `${username} 现在是${ROLE_NAMES[input.role]}`;
    },
    staffProfile: ({ input }) => profiles.read(input),
    profileRemove: async ({ input, viewer }) => {
      const now = await profiles.remove(input, viewer);
      return now === '' ? '已移除' : `已移除，现在是「${now}」`;
    },
    staffArticles: ({ input }) => staffLists.articles(input),
    articlePin: answerWith('已置顶在首页', ({ input, viewer }) => picks.pin(input.id, viewer.id)),
    articleUnpin: answerWith('已取消置顶', ({ input, viewer }) => picks.unpin(input.id, viewer.id)),
    staffComments: ({ input }) => staffLists.comments(input),
    staffReports: ({ input }) => reports.list(input),
    reportDecide: async ({ input, viewer }) => ({ decided: await reports.decide(input, viewer) }),
    visitorReport: answerWith('已收到举报，谢谢你', ({ input, from }) =>
      reports.createByVisitor(input, from),
    ),
    reportCreate: answerWith('已收到举报，谢谢你', ({ input, viewer }) => reports.create(input, viewer)),
    postOrigins: ({ input, viewer }) => origins.list(input, viewer.id),
    auditList: ({ input }) => auditLists.list(input),
    auditExport: async ({ input }) => ({ csv: await auditLists.csv(input.keywords) }),
    siteOptions: () => options.read(),
    siteOptionsChange: async ({ input, viewer }) => {
      // Otherwise the operator could not use the console either, nor undo the change.
      if (input.secondFactorForStaff === true && !(await safety.twoStep(viewer.id)).has_totp)
        refuse('SECOND_FACTOR_MISSING', { text: '请先到「账号设置」为自己开启两步验证' });
      return options.change(input, viewer.id);
    },
  }) satisfies Partial<Handlers>;
