import { settingsPage } from './settings-page.tsx';

/** Pushes to search engines, and the tags by which they recognise the owner. */
export default settingsPage({ label: '搜索引擎', group: 'search' });
