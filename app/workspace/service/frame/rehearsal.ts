import { createContext, useContext } from "react";

/** Whether LIVE is only rehearsed here, as the server of this page knows. */
export const Rehearsal = createContext(false);

export const useRehearsal = () => useContext(Rehearsal);
