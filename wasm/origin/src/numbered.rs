//! A small map from numbers: a sorted vector. Of the standard library's maps each use adds ten times as many bytes to a module.

/// Values by number. Cost of finding one: a binary search; of adding one with the largest number: a push.
#[derive(Debug)]
pub struct Numbered<T> {
    items: Vec<(u64, T)>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Numbered<T> {
    /// Without values.
    pub const fn new() -> Self {
        Self { items: Vec::new() }
    }

    fn place(&self, number: u64) -> Result<usize, usize> {
        match self.items.last() {
            Some((last, _)) if *last >= number => {
                self.items.binary_search_by_key(&number, |(number, _)| *number)
            }
            _ => Err(self.items.len()),
        }
    }

    /// Gives `number` a value, in place of the one that it had.
    pub fn insert(&mut self, number: u64, value: T) {
        match self.place(number) {
            Ok(place) => {
                if let Some(item) = self.items.get_mut(place) {
                    item.1 = value;
                }
            }
            Err(place) => self.items.insert(place, (number, value)),
        }
    }

    /// The value of `number`.
    pub fn get(&self, number: u64) -> Option<&T> {
        let place = self.place(number).ok()?;
        self.items.get(place).map(|(_, value)| value)
    }

    /// The value of `number`, to be changed.
    pub fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        let place = self.place(number).ok()?;
        self.items.get_mut(place).map(|(_, value)| value)
    }

    /// Removes the value of `number`.
    pub fn remove(&mut self, number: u64) -> Option<T> {
        let place = self.place(number).ok()?;
        Some(self.items.remove(place).1)
    }

    /// Removes all values.
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// The largest number.
    pub fn last_number(&self) -> Option<u64> {
        self.items.last().map(|(number, _)| *number)
    }

    /// Numbers and values, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, &T)> {
        self.items.iter().map(|(number, value)| (*number, value))
    }

    /// The same, to be changed.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (u64, &mut T)> {
        self.items.iter_mut().map(|(number, value)| (*number, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_number_in_any_order_of_adding() {
        let mut numbered = Numbered::new();
        for number in [5, 2, 9, 7] {
            numbered.insert(number, number * 10);
        }
        numbered.insert(7, 71);
        let all: Vec<_> = numbered.iter().map(|(number, value)| (number, *value)).collect();
        assert_eq!(all, [(2, 20), (5, 50), (7, 71), (9, 90)]);
        assert_eq!((numbered.get(5), numbered.get(6)), (Some(&50), None));
        assert_eq!((numbered.remove(2), numbered.remove(2)), (Some(20), None));
        assert_eq!((numbered.last_number(), numbered.get(100)), (Some(9), None));
    }
}
