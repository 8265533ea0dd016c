/**
 * Meta tags by which search engines recognise the owner of a site, by field of the settings; `variable` holds
 * the content.
 */
export const VERIFICATIONS = {
  verify_baidu: { variable: 'VERIFY_BAIDU', engine: '百度', tag: 'baidu-site-verification' },
  verify_bing: { variable: 'VERIFY_BING', engine: '必应', tag: 'msvalidate.01' },
  verify_google: { variable: 'VERIFY_GOOGLE', engine: '谷歌', tag: 'google-site-verification' },
  verify_360: { variable: 'VERIFY_360', engine: '三六零', tag: '360-site-verification' },
  verify_sogou: { variable: 'VERIFY_SOGOU', engine: '搜狗', tag: 'sogou_site_verification' },
  verify_toutiao: { variable: 'VERIFY_TOUTIAO', engine: '头条', tag: 'bytedance-verification-code' },
} as const;

export type VerificationVariable = (typeof VERIFICATIONS)[VerificationField]['variable'];
export type VerificationField = keyof typeof VERIFICATIONS;
export const VERIFICATION_FIELDS = Object.keys(VERIFICATIONS) as VerificationField[];

/** Content of such a tag. */
export const isVerificationCode = (text: string): boolean => /^[\w./+=:-]{1,200}$/.test(text);

/** Returns the content of a tag that was pasted as a whole, or the text itself. */
export const verificationCodeIn = (text: string): string =>
  /^<meta\s[^<>]*?content=["']?([^"'<>\s]+)/i.exec(text)?.[1] ?? text;
