import { settingsPage } from './settings-page.tsx';

/** Storage of uploaded pictures. */
export default settingsPage({ label: '图片存储', group: 'uploads' });
