/** Steps after set-up, in the order of the console's page 开始. */
export const START_STEPS = {
  title: '给网站起名',
  description: '写一句简介',
  logo: '换上自己的标志',
  beian: '填写备案号',
  signup: '决定谁可以注册',
  mail: '设置邮件',
  backup: '开启自动备份',
} as const;

export type StartStep = keyof typeof START_STEPS;
