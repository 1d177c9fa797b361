import { createContext, useContext } from 'react';

/** Whether the engine has column families: RocksDB alone does. Elsewhere the page does not speak of them. */
const context = createContext(true);
export const FamiliesProvider = context.Provider;
export const useFamilies = () => useContext(context);
