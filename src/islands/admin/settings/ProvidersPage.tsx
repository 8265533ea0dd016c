import { settingsPage } from './settings-page.tsx';

/** Sign-in by accounts of other sites. */
export default settingsPage({ label: '登录方式', group: 'sso' });
