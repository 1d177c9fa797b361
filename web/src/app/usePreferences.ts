import { useCallback, useEffect, useState } from 'react';
import { loadPreferences, localStore, type Preferences, savePreferences } from './preferences';

/** The page's own switches, kept across visits; applies the theme to the document. */
export function usePreferences() {
  const [preferences, setPreferences] = useState(() => loadPreferences(localStore()));
  const change = useCallback((part: Partial<Preferences>) => {
    setPreferences((before) => ({ ...before, ...part }));
  }, []);
  useEffect(() => savePreferences(localStore(), preferences), [preferences]);
  const { theme } = preferences;
  useEffect(() => {
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    const apply = () => {
      const chosen = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme;
      document.documentElement.dataset.theme = chosen;
    };
    apply();
    dark.addEventListener('change', apply);
    return () => dark.removeEventListener('change', apply);
  }, [theme]);
  return { preferences, change };
}
