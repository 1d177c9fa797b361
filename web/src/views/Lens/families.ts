import { createContext, useContext } from 'react';

/** Whether the engine has column families: only RocksDB does. For others the page does not mention them. */
const context = createContext(true);
export const FamiliesProvider = context.Provider;
export const useFamilies = () => useContext(context);
