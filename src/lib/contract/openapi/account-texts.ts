import { text, type CallTexts } from './call-text.ts';

const SIGNUP = ['WORD_REFUSED', 'USERNAME_TAKEN', 'USERNAME_RESERVED'] as const;
const PASSWORD = ['PASSWORD_WRONG', 'SIGNIN_AGAIN'] as const;
const PROOF = [...PASSWORD, 'CODE_WRONG'] as const;
const WITH_CODE = '开启了两步验证的账号还要填 code。';

export const SIGNIN_TEXTS = {
  signup: text('注册', [
    ...SIGNUP,
    'SIGNUP_CLOSED',
    'SSO_ONLY',
    'INVITATION_REQUIRED',
    'INVITATION_INVALID',
    'CHECK_NEEDED',
    'CHECK_FAILED',
  ]),
  signupMode: text('怎样可以注册'),
  humanCheck: text('取一道人机验证的题', [], '站长要求时，注册和评论要在 check 里附上答案。'),
  signin: text(
    '用密码登录',
    ['SIGNIN_FAILED', 'SECOND_FACTOR_REQUIRED', 'ACCOUNT_BANNED', 'SSO_ONLY'],
    '开启了两步验证的账号得到 SECOND_FACTOR_REQUIRED 和 ticket，再用 signinFinish 登录。脚本请用访问令牌。',
  ),
  signinFinish: text('用验证码完成登录', ['TICKET_OVER', 'CODE_WRONG', 'ACCOUNT_BANNED']),
  passkeyAsk: text('取用通行密钥登录的参数'),
  passkeySignin: text('用通行密钥登录', ['PASSKEY_UNUSABLE', 'TICKET_OVER', 'ACCOUNT_BANNED', 'SSO_ONLY']),
  refreshToken: text('换一对新的登录令牌', ['SIGNIN_REQUIRED'], 'Authorization 里写 refresh_token。'),
  signout: text('退出登录'),
  passwordForgot: text(
    '忘记密码：发一封重设密码的邮件',
    ['MAIL_OFF', 'SSO_ONLY'],
    '账号存在与否，回答都一样。',
  ),
  passwordReset: text('用邮件里的链接重设密码', ['LINK_OVER']),
} satisfies CallTexts;

export const PROFILE_TEXTS = {
  getUserInfo: text('一位用户的资料和文章数', ['USER_NOT_FOUND']),
  userDetail: text('一位用户的资料', ['USER_NOT_FOUND']),
  updateBio: text('修改自己的简介', ['WORD_REFUSED']),
  usernameChange: text(
    '修改自己的用户名',
    [...PROOF, 'WORD_REFUSED', 'USERNAME_TAKEN', 'USERNAME_RESERVED'],
    `原来的用户名为这个账号保留，它的网址跳转到新的；30 天只能改一次，再改得到 429。${WITH_CODE}`,
  ),
  profileChange: text(
    '修改自己的显示名、网站和链接',
    ['WORD_REFUSED', 'USERNAME_TAKEN', 'USERNAME_RESERVED'],
    '三项一起保存，空的就清除。显示名不必唯一，但不能像别人的用户名；一小时只能改一次，再改得到 429。',
  ),
  updateGender: text('修改自己的性别'),
  uploadAvatar: text(
    '上传头像',
    ['IMAGE_UNREADABLE', 'IMAGE_MISSING', 'ACCOUNT_FULL', 'QUOTA_REACHED'],
    'imgData 是 PNG、JPEG 或 WebP 图片的 data: 网址，不超过 16 MB；回答是文件名。',
  ),
  avatar: text('一位用户的头像', ['FILE_NOT_FOUND']),
  statistics: text('用户和公开文章的数目'),
  noticeSettings: text('自己的邮件通知设置'),
  noticeSettingsChange: text('修改自己的邮件通知设置'),
  ownWebhookList: text('自己的文章有变化时的通知地址'),
  ownWebhookSave: text(
    '新建或修改自己的通知地址',
    ['WEBHOOK_NOT_FOUND', 'WEBHOOKS_TOO_MANY', 'URL_REFUSED'],
    '最多 5 个，只能发往公开的网站。没写 id 时新建；没写 url 或 secret 时不变。',
  ),
  ownWebhookDelete: text('删除自己的通知地址', ['WEBHOOK_NOT_FOUND']),
  ownWebhookTest: text('向自己的通知地址发一条试试', [
    'WEBHOOK_NOT_FOUND',
    'WEBHOOK_FAILED',
    'URL_REFUSED',
    'URL_UNREACHABLE',
  ]),
  ownWebhookLog: text('向自己的通知地址发过的，新的在前', ['WEBHOOK_NOT_FOUND']),
  ownWebhookRetry: text('再发一次自己的记录里的', ['WEBHOOK_NOT_FOUND']),
  reportCreate: text('举报文章、评论或用户', [
    'ARTICLE_NOT_FOUND',
    'COMMENT_NOT_FOUND',
    'USER_NOT_FOUND',
    'NOT_ALLOWED',
    'REPORTED_ALREADY',
    'REPORTS_CLOSED',
    'QUOTA_REACHED',
  ]),
} satisfies CallTexts;

export const SAFETY_TEXTS = {
  safety: text('账号安全的现状'),
  passwordChange: text('修改密码', PROOF, `${WITH_CODE}其他设备退出登录。`),
  deviceList: text('登录着的设备'),
  deviceEnd: text('让一台设备退出登录'),
  deviceEndOthers: text('让其他设备都退出登录'),
  totpBegin: text('开始设置两步验证', [...PASSWORD, 'TOTP_ON']),
  totpConfirm: text('用第一个验证码开启两步验证', ['TICKET_OVER', 'CODE_WRONG', 'TOTP_ON']),
  totpRemove: text('关闭两步验证', [...PROOF, 'TOTP_OFF']),
  recoveryRenew: text('换一组恢复码', [...PROOF, 'TOTP_OFF']),
  passkeyBegin: text('开始添加通行密钥', [...PROOF, 'PASSKEYS_TOO_MANY'], WITH_CODE),
  passkeyAdd: text('添加通行密钥', ['TICKET_OVER', 'PASSKEY_UNUSABLE', 'PASSKEYS_TOO_MANY']),
  passkeyRename: text('给通行密钥改名', ['PASSKEY_NOT_FOUND']),
  passkeyRemove: text('删除通行密钥', [...PROOF, 'PASSKEY_NOT_FOUND'], WITH_CODE),
  identityLink: text(
    '开始绑定另一种登录方式',
    [...PROOF, 'PROVIDER_UNKNOWN'],
    `同一个浏览器两分钟内打开得到的网址，到那里登录。${WITH_CODE}`,
  ),
  identityUnlink: text('解除绑定一种登录方式', [...PROOF, 'LAST_WAY_IN'], WITH_CODE),
  accessTokenList: text('自己的访问令牌，和可以选的权限'),
  accessTokenCreate: text(
    '新建访问令牌',
    [...PROOF, 'ACCESS_TOKENS_TOO_MANY'],
    `令牌只在这次的回答里。${WITH_CODE}`,
  ),
  accessTokenRevoke: text('撤销访问令牌', ['ACCESS_TOKEN_NOT_FOUND']),
  emailSet: text('设置邮箱，发一封确认邮件', [...PROOF, 'MAIL_OFF', 'MAIL_FAILED'], WITH_CODE),
  emailRemove: text('移除邮箱', PROOF, WITH_CODE),
  emailVerify: text('用邮件里的链接确认邮箱', ['LINK_OVER', 'EMAIL_TAKEN']),
  exportBegin: text('下载自己的全部内容', [], '得到的网址两分钟内可以用一次，是一个 zip 文件。'),
  accountClose: text('注销账号', [...PASSWORD, 'STAFF_CANNOT_LEAVE'], '不能撤销。'),
} satisfies CallTexts;

export const SITE_TEXTS = {
  site: text('站长设置的站名、导航、页脚等'),
  operatorSetup: text('用启动时给出的链接设置第一位站长', [...SIGNUP, 'SETUP_LINK_INVALID']),
  operatorClaim: text('用启动时给出的链接成为第一位站长', ['SETUP_LINK_INVALID']),
} satisfies CallTexts;
