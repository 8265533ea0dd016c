/** Meta tags by which search engines recognise the owner of a site, by the variable of their content. */
export const VERIFICATIONS = {
  VERIFY_BAIDU: { engine: '百度', tag: 'baidu-site-verification' },
  VERIFY_BING: { engine: '必应', tag: 'msvalidate.01' },
  VERIFY_GOOGLE: { engine: '谷歌', tag: 'google-site-verification' },
  VERIFY_360: { engine: '三六零', tag: '360-site-verification' },
  VERIFY_SOGOU: { engine: '搜狗', tag: 'sogou_site_verification' },
  VERIFY_TOUTIAO: { engine: '头条', tag: 'bytedance-verification-code' },
} as const;

export type VerificationVariable = keyof typeof VERIFICATIONS;
export const VERIFICATION_VARIABLES = Object.keys(VERIFICATIONS) as VerificationVariable[];

/** Content of such a tag. */
export const isVerificationCode = (text: string): boolean => /^[\w./+=:-]{1,200}$/.test(text);

/** Returns the content of a tag that was pasted as a whole, or the text itself. */
export const verificationCodeIn = (text: string): string =>
  /^<meta\s[^<>]*?content=["']?([^"'<>\s]+)/i.exec(text)?.[1] ?? text;
