import { z } from 'zod';
import { passwordField, repeatedPasswordField, usernameField } from '../fields.ts';

/** A password for comparison only; its rules were checked when it was chosen. */
export const knownPassword = z
  .string({ error: '请填写密码' })
  .min(1, '请填写密码')
  .max(1024, '密码应为 8–128 个字符')
  .meta({ title: '当前的密码' });
/** An opaque token issued by the server. */
export const secret = (error: string) => z.string({ error }).trim().min(1, error).max(500, error);
export const ticket = secret('请重新登录').meta({ title: '继续要用的编号' });
export const code = z
  .string({ error: '请填写验证码' })
  .trim()
  .min(1, '请填写验证码')
  .max(60, '验证码应为 6 位数字，或一个恢复码')
  .meta({ title: '验证码，或一个恢复码' });

/** Fields that confirm a change; the code is needed if two-step verification is on. */
export const proof = { password: knownPassword, code: code.optional() };
/** Name and password of a new account. */
export const firstCredentials = {
  username: usernameField,
  password: passwordField,
  repassword: repeatedPasswordField,
};
export const isPasswordRepeated = (body: { password: string; repassword: string }) =>
  body.password === body.repassword;
export const newPassword = { new_password: passwordField, repassword: repeatedPasswordField };
export const isTypedTwice = (body: { new_password: string; repassword: string }) =>
  body.new_password === body.repassword;

/** Refusals of a new account's name, of a password, and of `proof`. */
export const SIGNUP_REFUSALS = ['WORD_REFUSED', 'USERNAME_TAKEN', 'USERNAME_RESERVED'] as const;
export const PASSWORD_REFUSALS = ['PASSWORD_WRONG', 'SIGNIN_AGAIN'] as const;
export const PROOF_REFUSALS = [...PASSWORD_REFUSALS, 'CODE_WRONG'] as const;
export const WITH_CODE = '开启了两步验证的账号还要填 code。';
